/** A page that answers its own requests: MSW's service worker over the embedded catalogue. */
import { setupWorker } from 'msw/browser'
import { createHandlers, embeddedCatalogue } from '../../mock-api/index.ts'

const catalogue = embeddedCatalogue({ site: 'https://directory.test' })
await setupWorker(...createHandlers({ catalogue })).start({ quiet: true })
document.title = 'ready'
