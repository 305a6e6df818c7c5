import { describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { PackageVersion, PackageVersions, RepositoryText } from '../../protocol/index.ts'
import { element, items, list, names, pageOf, rows, show, text } from '../finding/finding-testing.ts'
import { aBridge, aListing, anInstalledPlugin } from '../testing.ts'

describe('the details', () => {
  const failed = { ...rows[0]!, verdict: 'failed' } as const

  test('the details offer a review of a plugin whose install check failed, and no command', async () => {
    show([failed, ...rows.slice(1)])
    element.address = 'q=is%3Aall&plugin=a%2Ffirst'
    await expect.element(details().getByRole('button', { name: 'Install anyway…' })).toBeEnabled()
    await expect.element(details().getByRole('button', { name: 'All plugins of a' })).toBeVisible()
    expect(details().getByRole('code').elements()).toEqual([])
  })

  test('the details show the command where it must be typed, after a failed check only on demand', async () => {
    show([failed, ...rows.slice(1)], { overview: { harness: 'missing' } })
    element.address = 'q=is%3Aall&plugin=a%2Ffirst'
    await details().getByText('Show the command anyway').click()
    await expect.element(details().getByRole('code')).toMatchTextContent(/add first/)
    element.address = 'plugin=a%2Fsecond'
    await expect
      .element(page.getByRole('article', { name: 'second' }).getByRole('code'))
      .toMatchTextContent(/dsh plugin --profile web add second/)
  })

  const details = () => page.getByRole('article', { name: 'first' })
  const open = () => page.getByRole('button', { name: 'first a' }).click()

  test('the details show every known fact, and lead to the other plugins of its repository', async () => {
    show(rows, { details: { siblings: ['a/second'] } })
    await open()
    for (const words of ['First of all', 'Install check passed'])
      await expect.element(details()).toMatchTextContent(new RegExp(words))
    await details().getByRole('button', { name: 'second' }).click()
    await expect.element(page.getByRole('article', { name: 'second' })).toBeVisible()
  })

  test('the details ask once for what is known of a plugin that the address names, when the profile is known', async () => {
    const bridge = aBridge(rows, { versions: { state: 'repository' } })
    const overview = bridge.answers.overview!
    const { promise: isShown, resolve } = Promise.withResolvers<void>()
    bridge.answers.overview = async (input) => isShown.then(() => overview(input))
    element.address = 'plugin=a%2Ffirst'
    element.bridge = bridge
    await expect.element(details()).toBeVisible()
    resolve()
    await expect.element(details().getByRole('button', { name: 'All plugins of a' })).toBeVisible()
    const asked = bridge.calls.filter((call) => /^(?:details|versions|fit) /.test(call))
    expect(asked.toSorted()).toEqual(['details a/first web', 'fit a/first web', 'versions a/first web'])
  })

  test('drop an answer about the profile that was chosen before', async () => {
    const profiles = ['web', 'work'].map((name) => ({ name, layers: [], dependencies: {} }))
    const bridge = show(rows, { overview: { profiles } })
    const fit = bridge.answers.fit!
    const { promise: isLate, resolve } = Promise.withResolvers<void>()
    bridge.answers.fit = async (input) => {
      const answer = await fit(input)
      if (input.profile === 'web') await isLate
      return answer.ok
        ? { ok: true, value: { ...answer.value, state: 'runs', plugin: `first@${input.profile}`, triedAt: 0 } }
        : answer
    }
    await open()
    await details().getByRole('button', { name: 'Install…' }).click()
    await page.getByRole('dialog').getByRole('combobox').selectOptions('work')
    await expect.element(details()).toMatchTextContent(/version work/)
    resolve()
    await isLate
    await new Promise((next) => requestAnimationFrame(next))
    await expect.element(details()).toMatchTextContent(/version work/)
  })

  test.each([
    ['recently', 3, '3 days ago', 'Passed', 'good'],
    ['long ago', 200, '6 months ago', 'Passed 6 months ago', 'caution'],
  ])(
    'show a passed check with its age, in green only when it was %s; the row only an old age',
    async (_, days, age, short, tone) => {
      const checkedAt = new Date(Date.now() - days * 86_400_000).toISOString()
      show([aListing('a/first', { checkedAt })])
      await expect.element(items()).toBeVisible()
      expect(items().element().querySelector('.verdict')?.textContent.trim()).toBe(short)
      await open()
      await expect.element(details().getByText(`Install check passed ${age}`)).toBeVisible()
      const label = page.elementLocator(details().element().querySelector('.verdict')!)
      await expect.element(label).toHaveClass(tone)
      await expect
        .element(label)
        .toHaveAttribute('title', expect.stringMatching(/^\d{1,2} \w{3,4} \d{4}\. The directory ran/))
    },
  )

  test('the details say why a plugin cannot be installed', async () => {
    show(rows, { details: { command: null, reason: 'subdirectory-unpublished' } })
    await open()
    await expect.element(details()).toMatchTextContent(/It is in a subdirectory/)
    await expect.element(details().getByRole('button', { name: 'Copy' })).not.toBeInTheDocument()
  })

  test('the details are not of a plugin that the directory does not have, and the list says so', async () => {
    show(rows)
    element.address = 'plugin=nobody%2Fnone'
    await expect.element(page.getByText('nobody/none is not in the directory.')).toBeVisible()
    element.address = 'plugin=a%2Ffirst'
    await expect.element(details()).toBeVisible()
    await expect.element(page.getByText(/is not in the directory/)).not.toBeInTheDocument()
  })

  test('the details say that they could not be loaded, and load on Retry', async () => {
    const bridge = show(rows)
    const { details: ask } = bridge.answers
    bridge.answers.details = async () => ({ ok: false, code: 'directory', message: 'It said 500.' })
    await open()
    await expect.element(details()).toMatchTextContent(/Could not load the details\. Directory not reachable\./)
    bridge.answers.details = ask!
    await details().getByRole('button', { name: 'Retry' }).click()
    await expect.element(details().getByRole('button', { name: 'All plugins of a' })).toBeVisible()
  })

  test('replace the list below 768 px, and give it back at the same scroll position', async () => {
    element.style.width = '600px'
    const many = Array.from({ length: 300 }, (_, n) => aListing(`a/n${n}`, { stars: 300 - n }))
    const bridge = aBridge(many)
    bridge.answers.listings = async ({ from }) => ({ ok: true, value: { ...pageOf(many), from } })
    element.address = 'sort=stars'
    element.bridge = bridge
    await expect.poll(() => names().length).toBeGreaterThan(4)
    const scroller = element.shadowRoot!.querySelector('.scroller')!
    scroller.scrollTop = 7600
    await page.getByRole('button', { name: 'n102 a' }).click()
    await expect.element(list()).not.toBeInTheDocument()
    await page.getByRole('button', { name: 'Back to the list' }).click()
    await expect.element(list()).toBeVisible()
    expect(scroller.scrollTop).toBe(7600)
    await expect.poll(() => element.shadowRoot?.activeElement?.textContent).toBe('n102 a')
  })
})

describe('the facts', () => {
  const details = () => page.getByRole('article', { name: 'first' })
  const open = () => page.getByRole('button', { name: 'first a' }).click()
  const one = (version: string, more: Partial<PackageVersion> = {}): PackageVersion => ({
    version,
    publishedAt: '2026-11-12T00:00:00.000Z',
    sizeBytes: 82_300,
    fits: null,
    deprecated: null,
    ...more,
  })
  const versions: PackageVersions = {
    state: 'read',
    host: 'registry.example',
    newest: '1.4.0',
    weeklyDownloads: 4321,
    more: 3,
    versions: [one('1.4.0', { fits: false }), one('1.3.0', { fits: true, deprecated: 'Has a bug.' }), one('1.2.0')],
  }

  test('the facts are newest version and its date, size, downloads, last push, licence and stars, in one line', async () => {
    show([aListing('a/first', { stars: 30, pushedAt: '2026-08-20T10:00:00.000Z' })], { versions })
    await open()
    const line = details().getByRole('list', { name: 'Facts' })
    await expect
      .poll(() =>
        line
          .getByRole('listitem')
          .elements()
          .map((item) => item.textContent),
      )
      .toEqual([
        '1.4.0 of 12 Nov 2026',
        '82 kB',
        '4,321 downloads last week',
        'repository changed 20 Aug 2026',
        'MIT',
        '30 stars',
      ])
  })

  test('the facts say which version is installed, and which is available', async () => {
    const plugin = anInstalledPlugin('first', { version: '1.3.0', latest: '1.4.0', enabled: true })
    show(rows, { versions, installed: { ok: true, value: [plugin] } })
    await open()
    await expect.element(details().getByText('1.3.0 installed, 1.4.0 of 12 Nov 2026 available')).toBeVisible()
  })

  test('the facts tell the date of a release from that of its install', async () => {
    const plugin = anInstalledPlugin('first', { version: '1.4.0', latest: null, enabled: true })
    show(rows, { versions, installed: { ok: true, value: [plugin] } })
    await open()
    await expect.element(details().getByText('1.4.0 installed, released 12 Nov 2026')).toBeVisible()
  })

  test('the details offer to enable or remove a plugin that is installed and disabled, and no install, as its row does', async () => {
    show(rows, { installed: { ok: true, value: [anInstalledPlugin('first', { latest: null, enabled: false })] } })
    await open()
    await expect.element(details().getByRole('switch', { name: 'Enable first' })).not.toBeChecked()
    await expect.element(details().getByRole('button', { name: 'Remove…' })).toBeEnabled()
    expect(details().getByRole('button', { name: 'Install…' }).elements()).toEqual([])
    await expect.element(items().first()).toMatchTextContent(/Disabled$/)
  })

  test('the facts say what a review found of known problems, as the row does', async () => {
    const advisory = {
      package: 'first@1.0.0',
      path: ['first@1.0.0'],
      title: 'Shows a message as HTML',
      severity: 'moderate',
    }
    const found = [{ ...advisory, url: 'https://a.example', isMalware: false, without: null }]
    const read = { plugin: 'first@1.0.0', before: null, code: null, origin: null }
    show(rows, { inspection: Promise.resolve({ ...read, advisories: { asked: 1, unknown: [], found } }) })
    await open()
    await details().getByRole('button', { name: 'Install…' }).click()
    await expect.element(page.getByRole('dialog')).toMatchTextContent(/Shows a message as HTML” \(moderate\)/)
    await userEvent.keyboard('{Escape}')
    await expect.element(details()).toMatchTextContent(/Shows a message as HTML” \(moderate\)/)
    await expect.element(items().first()).toMatchTextContent(/One known problem/)
  })

  test('the facts say nothing of the harness where the source is gone', async () => {
    const bridge = show(rows, { fit: { state: 'not-found', plugin: 'first' } })
    await open()
    await expect.element(details().getByRole('button', { name: 'All plugins of a' })).toBeVisible()
    expect(bridge.calls).toContain('fit a/first web')
    expect(
      details()
        .getByText(/whether it fits|does not have it/)
        .elements(),
    ).toEqual([])
  })

  test('the facts say how to use a plugin that is installed, as it was seen', async () => {
    const plugin = anInstalledPlugin('first', { latest: null, enabled: true })
    const adds = { commands: ['first'], tools: [], settings: ['Order'] }
    show(rows, { installed: { ok: true, value: [{ ...plugin, state: { ...plugin.state, adds } }] } })
    await open()
    await expect.element(details().getByText('In a conversation, type /first. See Settings → Order.')).toBeVisible()
  })

  test.each([true, false])(
    'say only of a plugin that is not installed that it waits for a yes: %s',
    async (isThere) => {
      const value = isThere ? [anInstalledPlugin('first', { latest: null, enabled: true })] : []
      show([aListing('a/first', { verdict: 'needs-approval' })], { installed: { ok: true, value } })
      await open()
      await expect.element(details()).toMatchTextContent(/Needs approval/)
      const waits = expect.element(details())
      await (isThere ? waits.not : waits).toMatchTextContent(/once you allow its build script/)
    },
  )

  test('list no versions where there is one, which is among the facts', async () => {
    show(rows, { versions: { ...versions, more: 0, versions: [one('1.4.0')] } })
    await open()
    await expect.element(details().getByText('1.4.0 of 12 Nov 2026')).toBeVisible()
    await expect.element(details().getByText('Versions (1)')).not.toBeInTheDocument()
  })

  test('list the versions: which is newest and installed, and which fit this harness', async () => {
    show(rows, { versions })
    await open()
    await details().getByText('Versions (6)').click()
    const items = details()
      .getByRole('listitem')
      .filter({ hasText: /1\.\d\.0/ })
    await expect.element(items.filter({ hasText: '1.4.0' }).last()).toMatchTextContent(/Newest.*Does not fit/)
    await expect
      .element(items.filter({ hasText: '1.3.0' }))
      .toMatchTextContent(/Fits this harness.*Deprecated: Has a bug/)
    await expect.element(items.filter({ hasText: '1.2.0' })).toMatchTextContent(/Not stated/)
    await expect.element(details().getByText('3 older ones are not shown.')).toBeVisible()
  })

  test('the facts lead to the review of another version, which needs a tick', async () => {
    const bridge = show(rows, { versions, review: { version: '1.3.0', cautions: ['other-version'] } })
    await open()
    await details().getByText('Versions (6)').click()
    expect(
      details()
        .getByRole('button', { name: /Review version 1\.4\.0/ })
        .elements(),
    ).toEqual([])
    await details().getByRole('button', { name: 'Install version 1.3.0' }).click()
    const sheet = page.getByRole('dialog', { name: 'Install first 1.3.0' })
    await expect
      .element(sheet)
      .toMatchTextContent(/The install check ran the newest version\. It does not speak for this/)
    await expect.element(sheet.getByRole('button', { name: 'Install' })).toBeDisabled()
    await sheet.getByRole('checkbox').click()
    await sheet.getByRole('button', { name: 'Install' }).click()
    expect(bridge.calls).toContain('review a/first web install 1.3.0')
    expect(bridge.calls.at(-1)).toBe('start a/first token true')
  })

  test('the facts say that the registry did not answer, and ask again', async () => {
    const bridge = show(rows, { versions: { state: 'unreachable', host: 'registry.example' } })
    await open()
    await expect.element(details().getByText(/registry\.example did not answer/)).toBeVisible()
    bridge.answers.versions = async () => ({ ok: true, value: versions })
    await details().getByRole('button', { name: 'Retry' }).click()
    await expect.element(details().getByText('Versions (6)')).toBeVisible()
  })

  test('the facts of the repository are asked for only when the user presses a button', async () => {
    const bridge = show(rows, { repository: { isArchived: true } })
    await open()
    await expect.element(details().getByText(/Requested from GitHub by the store’s machine/)).toBeVisible()
    expect(bridge.calls.filter((call) => call.startsWith('repository'))).toEqual([])
    await details().getByRole('button', { name: 'Open issues' }).click()
    await expect.element(details().getByText(/archived.*12 issues and pull requests are open\./)).toBeVisible()
    expect(bridge.calls.filter((call) => call.startsWith('repository'))).toEqual(['repositoryFacts a/first web'])
  })
})

describe('the README', () => {
  const details = () => page.getByRole('article', { name: 'first' })
  const markdown =
    '# Kite\n\n![A shot](shot.png) ![far](https://far.example/x.png)\n\n<script>alert(1)</script>\n\n[docs](guide.md)'
  const text = (language: 'en' | 'zh'): RepositoryText => ({
    state: 'read',
    markdown: language === 'zh' ? '你好' : markdown,
    language,
    otherLanguage: language === 'zh' ? 'en' : 'zh',
    linkBase: 'https://github.com/a/first/blob/HEAD/',
    pictureBase: 'https://raw.githubusercontent.com/a/first/HEAD/',
  })
  const read = async (given: Parameters<typeof show>[1] = { text }) => {
    const bridge = show(rows, given)
    await page.getByRole('button', { name: 'first a' }).click()
    await details().getByRole('button', { name: 'README' }).click()
    return bridge
  }

  test('the README is shown in the reader’s language, and in the other on request', async () => {
    const bridge = await read()
    await expect.element(details().getByRole('heading', { name: 'Kite' })).toBeVisible()
    await expect.element(details().getByRole('link', { name: 'docs' })).toHaveAttribute('target', '_blank')
    await details().getByRole('button', { name: '中文' }).click()
    await expect.element(details().getByText('你好')).toBeVisible()
    expect(bridge.calls.filter((call) => call.startsWith('repositoryText'))).toEqual([
      'repositoryText a/first readme en web',
      'repositoryText a/first readme zh web',
    ])
    await details().getByRole('button', { name: 'README' }).click()
    await expect.element(details().getByText('你好')).not.toBeInTheDocument()
  })

  test('shows its own pictures, and never those of other servers', async () => {
    const picture = 'data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA='
    const bridge = show(rows, { text })
    bridge.answers.repositoryPicture = async () => ({ ok: true, value: { state: 'read', dataUrl: picture } })
    await page.getByRole('button', { name: 'first a' }).click()
    await details().getByRole('button', { name: 'README' }).click()
    await expect.element(details().getByRole('img', { name: 'A shot' })).toHaveAttribute('src', picture)
    expect(bridge.calls.filter((call) => call.startsWith('repositoryPicture'))).toHaveLength(1)
    expect(details().element().querySelectorAll('img')).toHaveLength(1)
  })

  test.each([
    [{ state: 'not-found' }, 'It has no README.'],
    [{ state: 'busy' }, 'GitHub asks to wait. Try again in some minutes.'],
    [{ state: 'unreachable' }, 'GitHub did not answer. Check the network, then try again.'],
    [{ state: 'too-large' }, 'It is too large to show here. Open the source instead.'],
  ] as const)('a README that cannot be shown says why: %j', async (answer, words) => {
    await read({ text: () => answer })
    await expect.element(details().getByText(words)).toBeVisible()
  })

  test('stays open for the next plugins once it was opened, also in the next page, until it is closed', async () => {
    const bridge = await read()
    await expect.element(details().getByRole('heading', { name: 'Kite' })).toBeVisible()
    await page.getByRole('button', { name: 'second a' }).click()
    const second = page.getByRole('article', { name: 'second' })
    await expect.element(second.getByRole('heading', { name: 'Kite' })).toBeVisible()
    await second.getByRole('button', { name: 'Release notes' }).click()
    await second.getByRole('button', { name: 'Release notes' }).click()
    await expect.element(second.getByRole('button', { name: 'README' })).toHaveAttribute('aria-expanded', 'true')
    element.bridge = bridge
    await page.getByRole('button', { name: 'first a' }).click()
    await expect.element(details().getByRole('heading', { name: 'Kite' })).toBeVisible()
    await details().getByRole('button', { name: 'README' }).click()
    await expect.element(details().getByRole('heading', { name: 'Kite' })).not.toBeInTheDocument()
    await page.getByRole('button', { name: 'second a' }).click()
    await expect.element(second.getByRole('button', { name: 'README' })).toHaveAttribute('aria-expanded', 'false')
  })

  test('release notes that arrive after other details were opened are dropped', async () => {
    const { promise, resolve } = Promise.withResolvers<RepositoryText>()
    show(rows, { text: () => promise })
    await page.getByRole('button', { name: 'first a' }).click()
    await details().getByRole('button', { name: 'Release notes' }).click()
    await page.getByRole('button', { name: 'second a' }).click()
    const second = page.getByRole('article', { name: 'second' })
    await expect.element(second).toBeVisible()
    resolve(text('en'))
    await expect
      .element(second.getByRole('button', { name: 'Release notes' }))
      .toHaveAttribute('aria-expanded', 'false')
    expect(second.getByText('Kite').elements()).toEqual([])
  })
})

describe('the stored index', () => {
  test('shows its age when it could not be refreshed', async () => {
    const failure = { kind: 'network', message: '' }
    show(rows, { status: { state: 'failed', failure, loadedAt: Date.now() - 3 * 86_400_000 } })
    await expect.element(text('Offline. Showing the list from 3 days ago')).toBeVisible()
    await expect.poll(names).toHaveLength(3)
  })
})
