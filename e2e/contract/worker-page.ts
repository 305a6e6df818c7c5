/** A page that answers its own requests: MSW's service worker over the embedded catalogue. */

import { createHandlers, embeddedCatalogue } from '@plugmark/mock-api'
import { setupWorker } from 'msw/browser'

const catalogue = embeddedCatalogue({ site: 'https://directory.test', generated: '2026-08-24T06:00:00.000Z' })
await setupWorker(...createHandlers({ catalogue })).start({ quiet: true })
document.title = 'ready'
