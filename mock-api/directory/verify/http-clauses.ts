import { type Clause, expect, INDEX, PLUGINS, Quirk } from './server.ts'

const CACHE = {
  [INDEX]: 'public, max-age=3600, s-maxage=21600',
  [PLUGINS]: 'public, max-age=300, s-maxage=900',
}

/** Returns the clauses about the HTTP of one endpoint. */
export const httpClauses = (path: typeof INDEX | typeof PLUGINS, source: string): Clause[] => [
  {
    id: `${path}: JSON`,
    text: `${path} answers with JSON.`,
    source,
    async check({ ask }) {
      const { status, headers, json } = await ask(path)
      expect(status === 200, `answers with status ${status}`)
      const type = headers.get('content-type') ?? 'none'
      expect(/^application\/json\b/.test(type), `has the content type ${type}`)
      expect(json !== undefined, 'is not JSON')
    },
  },
  {
    id: `${path}: CORS`,
    text: `${path} can be read by a page of any origin.`,
    source: '#/components/headers/Access-Control-Allow-Origin',
    async check({ ask }) {
      const { headers } = await ask(path)
      const allowed = headers.get('access-control-allow-origin')
      expect(allowed === '*', `has Access-Control-Allow-Origin: ${allowed ?? 'none'}`)
    },
  },
  {
    id: `${path}: Cache-Control`,
    text: `${path} says for how long it may be cached.`,
    source: `${source}/responses/200/headers/Cache-Control`,
    async check({ ask }) {
      const value = (await ask(path)).headers.get('cache-control')
      expect(value === CACHE[path], `has Cache-Control: ${value ?? 'none'}, not ${CACHE[path]}`)
    },
  },
  {
    id: `${path}: ETag`,
    text: `${path} has an ETag, and answers a request with that ETag with 304.`,
    source: `${source}/responses/304`,
    async check({ ask }) {
      const { headers } = await ask(path)
      const etag = headers.get('etag')
      if (etag === null) throw new Quirk('has no ETag. Clients download it whole.')
      const { status, text } = await ask(path, { 'if-none-match': etag })
      if (status === 200) throw new Quirk('ignores If-None-Match. Clients download it whole.')
      expect(status === 304 && text === '', `answers If-None-Match with status ${status} and ${text.length} characters`)
      if (!/\betag\b/i.test(headers.get('access-control-expose-headers') ?? ''))
        throw new Quirk('does not let pages read the ETag. Clients do not need it.')
    },
  },
]
