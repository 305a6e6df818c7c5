import { contractMessages } from '@plugmark/shared/i18n'
import { expect, test } from 'vitest'
import type { Adds, OutcomeKind } from '../protocol/index.ts'
import { isSuccess, OUTCOMES } from '../protocol/next-steps.ts'
import { en } from './en/index.ts'
import { messagesFor } from './index.ts'
import { zh } from './zh/index.ts'

test('has no empty message', () => {
  // The compiler checks that both languages have the same messages.
  for (const t of [en, zh]) expect(JSON.stringify(t)).not.toContain('""')
})

test('says for every outcome what happened and what to do, in both languages', () => {
  for (const t of [en, zh]) {
    for (const next of Object.values(t.outcomeNext)) {
      for (const subjects of [[], ['some-plugin@1.0.0']]) {
        for (const action of ['install', 'update', 'remove'] as const) {
          expect(next({ subjects, action, activation: 'restart' })).toMatch(/[.。]$/)
        }
      }
    }
  }
})

test('gives every job that failed a next step, and each refusal that the user can wait out or look up', () => {
  const given = { subjects: [], action: 'install', activation: 'unchanged' } as const
  const kinds = (Object.keys(OUTCOMES) as OutcomeKind[]).filter((kind) => !isSuccess(kind) && kind !== 'cancelled')
  const steps = {
    en: /again|report|approve|review|look at|may say|install|update|start the|set `|free up|remove|repair/i,
    zh: /重试|反馈|批准|查看|安装|更新|启动一次|设置|移除|修复/,
  }
  for (const locale of ['en', 'zh'] as const) {
    const { outcomeNext } = messagesFor(locale)
    expect(kinds.filter((kind) => !steps[locale].test(outcomeNext[kind](given)))).toEqual([])
  }
  expect(en.refused['already-running']).toMatch(/Wait until it has ended, or cancel it\.$/)
  expect(en.refused['unknown-job']).toMatch(/under History\.$/)
  expect(en.refused.directory).toMatch(/then try again\.$/)
})

test('shows a stored time that is that of no date as unknown', () => {
  const given = { subjects: ['kite@1.4.0', 'soon'], action: 'update', activation: 'unchanged' } as const
  for (const t of [en, zh]) expect(t.outcomeNext['too-new'](given)).toContain('?')
})

test('gives both explanations of a release with weaker proof, and neither as a fact', () => {
  const subjects = ['High-risk trust downgrade for "kite@1.4.0"']
  const given = { subjects, action: 'update', activation: 'unchanged' } as const
  const next = en.outcomeNext.failed(given)
  expect(next).toMatch(/kite@1\.4\.0".*That can be .*older line.* or .*somebody else published.*cannot tell which/)
  expect(zh.outcomeNext.failed(given)).toMatch(/kite@1\.4\.0".*它可能.*旧版本线.*也可能由他人发布/)
})

test('says of one failure the same in a row, in the details and in a review', () => {
  const at = new Date().setHours(8, 8, 0, 0)
  for (const locale of ['en', 'zh'] as const) {
    const { fit, misfit, review } = messagesFor(locale)
    for (const breaksPage of [true, false]) {
      const row = misfit({ reason: breaksPage ? 'broke-page' : 'did-not-start', triedAt: at }, at).replace(
        /\W+08:08.*/,
        '',
      )
      const trial = { runs: false, breaksPage, at, why: ['the anchor is fouled'] }
      const plugin = 'kite@1.0.0'
      const known = { harnessVersion: '0.2.1', requirements: [], plugin, fitting: null }
      const details = fit.sentence({
        ...known,
        state: 'does-not-run',
        breaksPage,
        needs: null,
        why: trial.why,
        triedAt: at,
      })
      expect(details).toMatch(/08:08.*the anchor is fouled/)
      expect([details, review.fit.sentence({ ...known, state: 'declared-to-fit', problem: null, trial })]).toEqual([
        expect.stringContaining(row),
        details,
      ])
    }
  }
})

test('reports the true state of the profile after a rollback', () => {
  const as = (rollback: Parameters<typeof en.rollback>[0], change: object = {}) =>
    en.rollback(rollback, { registered: false, registeredBefore: false, dependency: false, changed: [], ...change })
  expect(as('complete')).toBe('The profile is unchanged.')
  expect(as('complete', { registered: true, registeredBefore: true })).toContain('with the plugin still installed')
  expect(as('complete', { changed: ['cordis.patch.yml'] })).toBe(
    'The profile is unchanged. Another program changed cordis.patch.yml in the meantime; those changes were kept.',
  )
  expect(as('complete', { changed: ['package.json'] })).toMatch(
    /were kept\. If package\.json now lists other packages, install/,
  )
  expect(as('partial', { changed: ['package.json'] })).toMatch(
    /another program installed.*Changed files: package\.json\./,
  )
  expect(as('changed', { changed: ['cordis.patch.yml'] })).toMatch(/changed meanwhile: cordis\.patch\.yml\./)
  for (const rollback of ['partial', 'changed'] as const)
    expect(as(rollback, { changed: ['package.json'] })).not.toContain('unchanged')
  for (const rollback of ['failed', 'unreadable'] as const) {
    expect(as(rollback, { changed: ['package.json', 'pnpm-lock.yaml'] })).toMatch(
      /^Not undone.*package.json, pnpm-lock.yaml/,
    )
    expect(zh.rollback(rollback, null)).toMatch(/^未能撤销/)
  }
})

test('names the files that were set aside', () => {
  for (const t of [en, zh])
    expect(t.quarantined(['a.unreadable', 'b.unreadable'])).toMatch(/“a\.unreadable”.*“b\.unreadable”/)
})

test('has a different title and text for every outcome', () => {
  for (const t of [en, zh]) {
    const texts = Object.values(t.outcomeNext).map((next) =>
      next({ subjects: [], action: 'install', activation: 'restart' }),
    )
    expect(new Set(texts).size).toBe(texts.length - 1)
    const titles = Object.values(t.outcomeTitle)
    expect(new Set(titles).size).toBe(titles.length)
  }
})

test('describes the effect on the harness by the purpose of the job', () => {
  const next = (action: 'install' | 'update' | 'remove') =>
    en.outcomeNext['stops-harness']({ subjects: ['boom'], action, activation: 'unchanged' })
  expect(next('install')).toBe(
    'With this plugin the harness does not start: “boom”. Report this to the plugin’s author.',
  )
  expect(next('update')).toMatch(/^With the newest version/)
  expect(next('remove')).toMatch(/^Without this plugin/)
  const endings = (['unchanged', 'live', 'restart', 'restart-for-page', 'restart-unless-applied'] as const).map(
    (activation) =>
      (['registered', 'updated', 'removed', 'enabled', 'disabled'] as const).map((kind) =>
        en.outcomeNext[kind]({ subjects: [], action: 'install', activation }),
      ),
  )
  const [, live, restart] = endings
  expect(live?.filter((sentence) => /restart/i.test(sentence))).toEqual([])
  expect(restart?.filter((sentence) => !/restart/i.test(sentence))).toEqual([])
})

test('says of a redo that it was not redone, and never that it was not undone', () => {
  for (const kind of ['nothing-to-do', 'profile-changed'] as const) {
    const next = (t: typeof en) => t.outcomeNext[kind]({ subjects: [], action: 'redo', activation: 'unchanged' })
    expect(next(en)).toMatch(/redo(?!.*(?:to undo|not undone))/)
    expect(next(zh)).toMatch(/重做/)
  }
  for (const t of [en, zh]) expect(t.undo.changed(['a'], true)).not.toBe(t.undo.changed(['a'], false))
})

test('names a shell that it does not know by its own name', () => {
  for (const { history } of [en, zh]) expect(history.client('constructor')).toBe('constructor')
})

test('says how to use what was installed, as it was seen', () => {
  const next = (
    t: typeof en,
    activation: 'live' | 'restart' | 'restart-unless-applied',
    commands: readonly string[],
    tools: readonly string[],
    settings: readonly string[] = [],
  ) => {
    return t.outcomeNext.registered({
      subjects: [],
      action: 'install',
      activation,
      adds: { commands, tools, settings },
    })
  }
  expect(next(en, 'live', ['harbor-note'], [])).toBe('In a conversation, type /harbor-note.')
  expect(next(en, 'live', ['a', 'b'], ['read', 'write'])).toBe(
    'In a conversation, type /a, /b. Your agent has the tools read, write.',
  )
  expect(next(en, 'live', [], [])).toBe('The running harness is already using it. See its README for how to use it.')
  expect(next(en, 'restart', ['a'], [])).toBe('Restart the harness to use it. Then, in a conversation, type /a.')
  expect(next(en, 'restart', [], ['read'])).toBe('Restart the harness to use it. Then your agent has the tool read.')
  expect(next(zh, 'live', ['harbor-note'], ['read'])).toBe(
    '在对话中输入 /harbor-note 即可使用。智能体可以使用工具 read。',
  )
  expect(next(zh, 'restart', ['a'], [])).toBe('重启 Harness 后生效。然后在对话中输入 /a 即可使用。')
  expect(next(en, 'live', ['a'], [], ['Tides'])).toBe('In a conversation, type /a. See Settings → Tides.')
  const unseen = 'A running harness applies this within seconds.'
  expect(next(en, 'restart-unless-applied', ['a'], [])).toBe(`${unseen} Then, in a conversation, type /a.`)
  expect(next(en, 'restart', [], [], ['Tides', 'Moon'])).toBe(
    'Restart the harness to use it. Then see Settings → Tides, Settings → Moon.',
  )
  expect(next(zh, 'live', [], [], ['潮汐'])).toBe('设置页面：“设置 → 潮汐”。')
})

test('says of a running plugin how to use it, as it was seen', () => {
  const state = { kind: 'running', why: [], harnessVersion: null, steps: [], allowCommand: null } as const
  const adds = { commands: ['a'], tools: ['read'], settings: ['Tides'] }
  expect(en.pluginState.sentence(state)).toBe('Running.')
  expect(en.pluginState.sentence({ ...state, atLastStart: true })).toBe('It ran when it was last started.')
  expect(en.pluginState.sentence({ ...state, adds })).toBe(
    'Running. In a conversation, type /a. Your agent has the tool read. See Settings → Tides.',
  )
  expect(zh.pluginState.sentence({ ...state, adds })).toBe(
    '运行中。在对话中输入 /a 即可使用。智能体可以使用工具 read。设置页面：“设置 → Tides”。',
  )
})

test('says of a plugin that waits for a restart only what the restart brings', () => {
  const state = { kind: 'running', why: [], harnessVersion: null, steps: [], allowCommand: null } as const
  expect(en.pluginState.sentence({ ...state, atRestart: '1.1.0' })).toBe('Restart the harness to use 1.1.0.')
  expect(zh.pluginState.sentence({ ...state, atRestart: '1.1.0' })).toBe('重启 Harness 后使用 1.1.0。')
  expect(en.pluginState.sentence({ ...state, kind: 'off', atRestart: null })).toBe(
    'Off, but the running harness keeps it until it restarts.',
  )
})

test('says what an update adds, and nothing where that is not known', () => {
  const next = (t: typeof en, adds?: Omit<Adds, 'settings'>) =>
    t.outcomeNext.updated({
      subjects: ['1.0.0', '1.1.0'],
      action: 'update',
      activation: 'live',
      ...(adds && { adds: { ...adds, settings: [] } }),
    })
  const live = 'From 1.0.0 to 1.1.0. The running harness is already using the new version.'
  expect(next(en)).toBe(live)
  expect(next(en, { commands: ['backup'], tools: ['read'] })).toBe(`${live} New: /backup, the tool read.`)
  expect(next(zh, { commands: ['backup'], tools: ['read'] })).toMatch(/新增：\/backup、工具 read。$/)
})

test('says what helps by what pnpm says, such as the setting by which it refuses a dependency', () => {
  const next = (t: typeof en, ...subjects: readonly string[]) =>
    t.outcomeNext.failed({ subjects, action: 'install', activation: 'unchanged' })
  const peers = ['missing peer old']
  expect(next(en, ...peers)).toMatch(/“strictPeerDependencies: false” into the profile’s pnpm-workspace\.yaml\.$/)
  expect(next(zh, ...peers)).toMatch(/pnpm-workspace\.yaml 中设置“strictPeerDependencies: false”。$/)
  const exotic = ['Exotic dependency "odd" (resolved via git) … because blockExoticSubdeps is enabled', 'kite@1.0.0']
  expect(next(en, ...exotic)).toContain('“blockExoticSubdeps: false”')
  expect(next(en, 'No matching version found for old@9')).toMatch(/report this to the plugin’s author\.$/)
  expect(next(en, 'pnpm-workspace.yaml: allowBuilds is not a map', 'profile')).toMatch(
    /files are intact, then try again\.$/,
  )
  expect(next(en, 'Unsupported platform for kite@1.0.0')).toMatch(/Install what it needs/)
  expect(next(en, 'kite postinstall: Failed')).toMatch(/A compiler or another program may be missing/)
})

test('tells outcomes with several causes apart by their subjects', () => {
  const next = (kind: OutcomeKind, ...subjects: readonly string[]) =>
    en.outcomeNext[kind]({ subjects, action: 'install', activation: 'unchanged' })
  expect(next('pnpm-unusable', 'Unexpected store location')).toMatch(/run “pnpm install --no-frozen-lockfile”/)
  expect(next('pnpm-unusable', 'Invalid URL')).toMatch(/Correct that setting/)
  expect(next('not-authorized', 'registry', 'kite')).toMatch(/read kite\. Put a valid token/)
  expect(next('not-authorized', 'ssh', 'Host key verification failed.')).toMatch(/SSH: “Host key.*git ls-remote/)
  expect(next('unreachable', 'certificate', 'CERT_HAS_EXPIRED')).toMatch(
    /\(CERT_HAS_EXPIRED\)\. Set NODE_EXTRA_CA_CERTS/,
  )
  expect(next('disk-error', 'ENOSPC')).toMatch(/Free up space/)
  expect(next('disk-error', 'EACCES', '/a/file')).toMatch(/“\/a\/file” \(EACCES\).*who may write/)
  expect(next('source-changed', 'kite@1.0.0', 'kite@2.0.0')).toMatch(
    /^You agreed to kite@1\.0\.0, .*gives kite@2\.0\.0/,
  )
  expect(next('source-changed', 'a@1', 'b@1', 'c@1', 'd@1', 'e@1')).toMatch(/tried: a@1, b@1, c@1 and 2 more\. Review/)
  expect(next('program-missing', 'git')).toMatch(/Install git/)
  expect(next('program-missing', 'pnpm')).toMatch(/Install pnpm/)
  expect(next('program-missing', 'harness')).toMatch(/`command`.*--harness/)
})

test('says of an update that brought nothing which version waits, or was not looked for, and until when', () => {
  const at = '2026-11-27T13:00:00.000Z'
  const next = (t: typeof en, ...more: readonly string[]) =>
    t.outcomeNext['nothing-to-do']({
      subjects: ['2.0.0', '2.0.0', '2.4.0', at, '11', '1440', ...more],
      action: 'update',
      activation: 'unchanged',
    })
  expect(next(en)).toMatch(/^2\.4\.0 is available from .*: pnpm 11 waits/)
  expect(next(en, 'unseen')).toMatch(/^Its registry has 2\.4\.0, but pnpm 11 asks it again only .* at the latest/)
  expect(next(zh, 'unseen')).toMatch(/^软件包仓库中有 2\.4\.0，但 pnpm 11/)
})

test('formats numbers, dates and sentences by the language', () => {
  expect(messagesFor('en').number(12_480)).toBe('12,480')
  expect(messagesFor('en').date('2026-08-20T23:59:00.000Z')).toBe('20 Aug 2026')
  expect(messagesFor('zh').date('2026-08-20T23:59:00.000Z')).toBe('2026年8月20日')
  expect(messagesFor('en').date('not a date')).toBeNull()
  expect(messagesFor('en').ago(0, 3 * 86_400_000 + 5)).toBe('3 days ago')
  expect(messagesFor('zh').ago(0, 7_200_000)).toBe('2小时前')
  expect(messagesFor('en').ago(10, 0)).toBe('just now')
  expect(messagesFor('en').sentences('One.', 'Two.')).toBe('One. Two.')
  expect(messagesFor('zh').sentences('一。', '二。')).toBe('一。二。')
})

test('says in both languages why a listing has no command, and why the store cannot change a package', () => {
  const refusal = { ok: false, code: 'not-installable', message: 'Host', reason: 'no-command' } as const
  expect(messagesFor('en').refusal(refusal)).toBe(contractMessages('en').reason('no-command'))
  expect(messagesFor('zh').refusal(refusal)).toBe(contractMessages('zh').reason('no-command'))
  expect(messagesFor('zh').refusal({ ok: false, code: 'no-versions', message: 'Host' })).toMatch(
    /^只有.*不要指定版本。$/,
  )
})
