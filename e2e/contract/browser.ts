import { chromium } from 'playwright'
import { testLaunchOptions } from '../setup/chromium.mjs'

export const launchBrowser = () => chromium.launch(testLaunchOptions())
