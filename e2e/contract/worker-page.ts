/** A page that answers its own requests: MSW's service worker over the embedded catalogue. */

import { createHandlers, embeddedCatalogue } from '@plugmark/mock-api'
import { setupWorker } from 'msw/browser'

const catalogue = embeddedCatalogue({ site: 'https://directory.test' })
await setupWorker(...createHandlers({ catalogue })).start({ quiet: true })
document.title = 'ready'
