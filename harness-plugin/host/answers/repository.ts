import { nameParts } from '@plugmark/shared/contract'
import * as v from 'valibot'
import type { Answer, StoreCalls } from '../../protocol/index.ts'
import {
  isRepositoryPicture,
  type ReadProblem,
  type RepositoryFacts,
  type RepositoryPicture,
  type RepositoryText,
  type RepositoryTextKind,
} from '../../protocol/package-facts.ts'
import { answer } from '../../protocol/protocol.ts'
import { KeptAnswers } from '../kept-answers.ts'
import type { Parts } from '../parts.ts'
import { withTimeout } from '../process/run.ts'
import { profileDirectory } from '../profile/home.ts'
import { type Access, CODE_HOST_API, RAW_FILES, Registry } from '../registry/registry.ts'

/** Time limit of one answer, in ms. */
const LIMIT_MS = 15_000
/** Time that an answer is kept, in ms, and number of answers. */
const KEPT = { ms: 60 * 60_000, max: 50 }
/** Address of the code host's pages. */
const PAGES = 'https://github.com'
/** Longest text, in bytes. */
const MAX_TEXT_BYTES = 512 * 1024
/** Largest picture, in bytes. */
const MAX_PICTURE_BYTES = 3 * 1024 * 1024
/** Releases whose notes are shown. */
const MAX_RELEASES = 10

const RepositorySchema = v.object({
  open_issues_count: v.pipe(v.number(), v.integer(), v.minValue(0)),
  archived: v.boolean(),
  pushed_at: v.nullable(v.string()),
})
const ReleasesSchema = v.array(
  v.object({
    tag_name: v.string(),
    name: v.nullable(v.string()),
    body: v.nullable(v.string()),
    published_at: v.nullable(v.string()),
    draft: v.optional(v.boolean(), false),
  }),
)

type Read<T> = { readonly state: 'read'; readonly value: T } | { readonly state: ReadProblem }

/** Answers what the code host has of a listing's repository: facts, texts and pictures. */
export class Repository {
  readonly #parts: Parts
  readonly #kept: KeptAnswers<{ readonly state: string }>

  constructor(parts: Parts) {
    this.#parts = parts
    this.#kept = new KeptAnswers({ ...KEPT, isKept: ({ state }) => state === 'read', now: parts.now })
  }

  get calls() {
    return {
      repositoryFacts: ({ id, profile }) =>
        this.#find(id, 'facts', (fullName) => this.#source(profile).facts(fullName)),
      repositoryText: ({ id, profile, kind, language }) =>
        this.#find(id, `${kind} ${language}`, (fullName) => this.#source(profile).text(fullName, kind, language)),
      repositoryPicture: async ({ url, profile }) => answer(await this.#source(profile).picture(url)),
    } satisfies Partial<StoreCalls>
  }

  /** Answers about a listing, so that only repositories that the directory lists are asked for. Keeps what was read. */
  async #find<T extends { readonly state: string }>(
    id: string,
    subject: string,
    read: (fullName: string) => Promise<T>,
  ): Promise<Answer<T>> {
    const listing = await this.#parts.catalogue.listed(id)
    if (!listing.ok) return listing
    const { fullName } = listing.value.record
    return answer(await this.#kept.read(`${subject} ${fullName}`, () => read(fullName)))
  }

  #source(profile: string): RepositorySource {
    const { settings, rawUrl, apiUrl, signal } = this.#parts
    const directory = profileDirectory(settings.home, profile)
    return new RepositorySource({ directory, env: settings.env, signal: withTimeout(signal, LIMIT_MS), rawUrl, apiUrl })
  }
}

/** Reads texts, pictures and facts of a listing's repository from the code host. Nothing rejects. */
class RepositorySource {
  readonly #registry: Registry
  readonly #signal: AbortSignal
  readonly #urls: { readonly raw: string; readonly api: string }

  constructor({
    directory,
    env,
    signal,
    rawUrl = RAW_FILES,
    apiUrl = CODE_HOST_API,
  }: Access & Pick<Parts, 'rawUrl' | 'apiUrl'>) {
    this.#registry = new Registry(directory, env)
    this.#signal = signal
    this.#urls = { raw: rawUrl, api: apiUrl }
  }

  async facts(id: string): Promise<RepositoryFacts> {
    const answer = await this.#readJson(`/repos/${placeOf(id).path}`, RepositorySchema)
    if (answer.state !== 'read') return answer
    const { open_issues_count: openIssues, archived: isArchived, pushed_at: pushedAt } = answer.value
    return { state: 'read', openIssues, isArchived, pushedAt }
  }

  text(id: string, kind: RepositoryTextKind, language: 'en' | 'zh'): Promise<RepositoryText> {
    return kind === 'readme' ? this.#readReadme(placeOf(id), language) : this.#readChanges(placeOf(id))
  }

  /** @param url address from a text, absolute; only pictures that the code host itself has are read */
  async picture(url: string): Promise<RepositoryPicture> {
    const isAllowed = (address: URL) => isRepositoryPicture(address.href, this.#urls.raw)
    if (!isRepositoryPicture(url, this.#urls.raw)) return { state: 'not-a-picture' }
    const answer = await this.#read(url, { maxBytes: MAX_PICTURE_BYTES, accept: 'image/*', isAllowed })
    if (answer.state !== 'read') return answer
    const type = pictureType(answer.value)
    if (type === null) return { state: 'not-a-picture' }
    return { state: 'read', dataUrl: `data:${type};base64,${answer.value.toString('base64')}` }
  }

  async #readReadme(place: RepositoryFolder, language: 'en' | 'zh'): Promise<RepositoryText> {
    const main = await this.#readFirst(place, ['README.md', 'readme.md', 'Readme.md'])
    if (main.state !== 'read') return main
    const own = languageOf(main.value.text)
    const other = own === 'zh' ? 'en' : 'zh'
    const link = findTranslation(main.value.text, other)
    if (own === language || link === null) return this.#toText(place, main.value, link === null ? null : other)
    const translated = await this.#readFirst(place, [link])
    return translated.state === 'read'
      ? this.#toText(place, translated.value, own)
      : this.#toText(place, main.value, null)
  }

  async #readChanges(place: RepositoryFolder): Promise<RepositoryText> {
    const file = await this.#readFirst(place, ['CHANGELOG.md', 'changelog.md', 'CHANGES.md'])
    if (file.state === 'read') return this.#toText(place, file.value, null)
    if (file.state !== 'not-found') return file
    const releases = await this.#readJson(`/repos/${place.path}/releases?per_page=${MAX_RELEASES}`, ReleasesSchema)
    if (releases.state !== 'read') return releases
    const notes = releases.value.filter(({ draft }) => !draft)
    if (notes.length === 0) return { state: 'not-found' }
    const text = notes.map(({ tag_name, name, body, published_at }) => {
      const title = [oneLine(name || tag_name), published_at?.slice(0, 10)].filter(Boolean).join(', ')
      return `## ${title}\n\n${body ?? ''}`
    })
    return this.#toText(place, { name: '', text: text.join('\n\n') }, null)
  }

  #toText(place: RepositoryFolder, { name, text }: RepositoryFile, otherLanguage: 'en' | 'zh' | null): RepositoryText {
    const folder = `${place.folder}${name.replace(/[^/]*$/, '')}`
    return {
      state: 'read',
      markdown: text,
      linkBase: `${PAGES}/${place.path}/blob/HEAD/${folder}`,
      pictureBase: `${this.#urls.raw}/${place.path}/HEAD/${folder}`,
      language: languageOf(text),
      otherLanguage,
    }
  }

  /** Reads the first of these files that exists. */
  async #readFirst(place: RepositoryFolder, names: readonly string[]): Promise<Read<RepositoryFile>> {
    for (const name of names) {
      const url = `${this.#urls.raw}/${place.path}/HEAD/${place.folder}${name}`
      const answer = await this.#read(url, { maxBytes: MAX_TEXT_BYTES, accept: 'text/plain' })
      if (answer.state === 'read') return { state: 'read', value: { name, text: answer.value.toString('utf8') } }
      if (answer.state !== 'not-found') return answer
    }
    return { state: 'not-found' }
  }

  async #read(
    url: string,
    options: { maxBytes: number; accept: string; isAllowed?: (url: URL) => boolean },
  ): Promise<Read<Buffer>> {
    const answer = await this.#registry.request(url, { signal: this.#signal, ...options })
    return answer.state === 'read' ? { state: 'read', value: answer.body } : answer
  }

  async #readJson<S extends v.GenericSchema>(path: string, schema: S): Promise<Read<v.InferOutput<S>>> {
    const accept = 'application/vnd.github+json'
    const answer = await this.#read(`${this.#urls.api}${path}`, { maxBytes: MAX_TEXT_BYTES, accept })
    if (answer.state !== 'read') return answer
    const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), answer.value.toString('utf8'))
    return parsed.success ? { state: 'read', value: parsed.output } : { state: 'unreadable' }
  }
}

interface RepositoryFile {
  /** Path within the listing's folder. */
  readonly name: string
  readonly text: string
}

interface RepositoryFolder {
  /** `owner/repo`. */
  readonly path: string
  /** Folder of the listing, with a slash at its end; empty for the root. */
  readonly folder: string
}

function placeOf(id: string): RepositoryFolder {
  const { owner, repo, subpath } = nameParts(id)
  const segments = (subpath ?? '').split('/').filter((part) => part !== '' && part !== '.' && part !== '..')
  return {
    path: `${encodeURIComponent(owner)}/${encodeURIComponent(repo)}`,
    folder: segments.map((part) => `${encodeURIComponent(part)}/`).join(''),
  }
}

/** Returns the language of a text: Chinese when a fifth of its letters are Han. */
function languageOf(text: string): 'en' | 'zh' {
  const han = text.match(/\p{Script=Han}/gu)?.length ?? 0
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  return han * 5 > letters ? 'zh' : 'en'
}

const TRANSLATIONS = {
  zh: /^readme[._-](?:zh\b|cn\b|chinese|简体|中文)/i,
  en: /^readme[._-](?:en\b|english)/i,
} as const

/** Finds the README in another language that a README links to; null when it links to none. */
function findTranslation(text: string, language: 'en' | 'zh'): string | null {
  for (const [, link = ''] of text.matchAll(/(?:\]\(|href=["'])(?:\.\/)?([^\s"'()#?:]{1,200}\.md)/gi)) {
    const segments = decode(link).split('/')
    const isBelow = segments.every((part) => part !== '' && part !== '.' && part !== '..')
    const name = (segments.at(-1) ?? '').replaceAll('_', '-')
    if (isBelow && TRANSLATIONS[language].test(name)) return segments.map(encodeURIComponent).join('/')
  }
  return null
}

/** Decodes a link as a page would; one that is not encoded stays as it is. */
function decode(link: string): string {
  try {
    return decodeURIComponent(link)
  } catch {
    return link
  }
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ').slice(0, 200)

/** Returns the media type of a picture by its first bytes; null for anything else, and for SVG, which can run scripts. */
function pictureType(bytes: Buffer): string | null {
  const starts = (text: string, at = 0) => bytes.toString('latin1', at, at + text.length) === text
  if (starts('\x89PNG\r\n')) return 'image/png'
  if (starts('\xff\xd8\xff')) return 'image/jpeg'
  if (starts('GIF8')) return 'image/gif'
  return starts('RIFF') && starts('WEBP', 8) ? 'image/webp' : null
}
