import { chromium } from 'playwright'
import { launchOptions } from '../setup/chromium.mjs'

export const launchBrowser = () => chromium.launch(launchOptions())
