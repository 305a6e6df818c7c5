import { expect, test } from 'vitest'
import { shownOf } from '../../agents/review-tool.ts'
import type { Inspection, Review } from '../../protocol/index.ts'
import { aFit } from '../../view/testing.ts'
import { inspectionSentences, questionOf } from './approval.ts'

const fit = aFit({ plugin: 'kite@1.9.0', harnessVersion: '0.2.1' })
const review = {
  id: 'a/kite',
  profile: 'web',
  action: 'update',
  command: 'dsh plugin --profile web add kite@1.9.0',
  checkedCommand: 'dsh plugin --profile web add kite',
  verdict: 'passed',
  checkedAt: null,
  riskFlags: [],
  blockedBuilds: [],
  allowedBuilds: [],
  license: 'MIT',
  repoUrl: 'https://github.com/a/kite',
  held: null,
  cautions: [],
  approval: null,
  otherPlugins: null,
  trial: true,
  desktop: false,
  passedOver: { ...fit, state: 'refused', plugin: 'kite@2.0.0', requirements: ['dsh ^0.3.0'], fitting: '1.9.0' },
} as unknown as Review

test('asks with the newer version that an update passes over, and why', () => {
  const reviewed = { review, fit, inspection: null, installed: null }
  expect(questionOf(reviewed, 'en')).toMatch(/kite@2\.0\.0: .*dsh \^0\.3\.0.* The update takes 1\.9\.0, the newest/)
  expect(questionOf(reviewed, 'zh')).toMatch(/kite@2\.0\.0.*因此更新到 1\.9\.0/)
  expect(shownOf(reviewed).about).toContain('not the newest, 2.0.0, refused by this harness')
  const newest = { ...reviewed, review: { ...review, passedOver: null } }
  expect(questionOf(newest, 'en')).not.toContain('The update takes')
  expect(shownOf(newest).about).not.toContain('newest')
})

test('asks with the commit of a repository, or says that it is unknown', () => {
  const about = (commit: string) => ({ review: { ...review, commit }, fit, inspection: null, installed: null })
  const commit = '0a'.repeat(20)
  expect(questionOf(about(commit), 'en')).toContain(`Only commit ${commit} of its repository is installed.`)
  expect(questionOf(about(commit), 'zh')).toContain(`只安装其代码仓库的提交 ${commit}。`)
  expect(questionOf(about('unknown'), 'en')).toContain('The commit of its repository could not be read')
  expect(questionOf(about('unknown'), 'zh')).toContain('无法读取其代码仓库的提交')
})

test('names the command that the directory ran where another one would run, and none for a removal', () => {
  const ran = 'The check ran: dsh plugin --profile web add kite'
  const asked = (given: Partial<Review>) => questionOf({ review: { ...review, ...given }, fit, installed: null }, 'en')
  expect(asked({})).toContain(ran)
  expect(asked({ command: review.checkedCommand })).not.toContain('The check ran')
  expect(asked({ action: 'remove', command: 'dsh plugin --profile web remove kite' })).not.toMatch(
    /The directory ran|The check ran/,
  )
})

test('tells every ability in the question, however long one of them is', () => {
  const ability = { names: [], harmless: 0, more: false, places: [] } as const
  const inspection: Inspection = {
    plugin: 'a-plugin@1.0.0',
    before: null,
    code: {
      state: 'read',
      others: [],
      scripts: [],
      files: null,
      abilities: [
        { ...ability, kind: 'install-scripts', names: [`postinstall: ${'x '.repeat(500)}`] },
        { ...ability, kind: 'starts-programs', names: [...'abcdefgh'] },
      ],
      unread: [],
    },
    origin: null,
    advisories: { asked: 1, unknown: [], found: [] },
  }
  expect(inspectionSentences({ review, inspection }, 'en')).toEqual([
    expect.stringMatching(
      /^What it can do: Runs during the install, which pnpm 10 and newer ask about first: “postinstall: [x ]{1,200} … [x ]{1,140}”\.$/,
    ),
    'Starts other programs: a, b, c, d, e, f and 2 more.',
  ])
  const flagged: Review = {
    ...review,
    cautions: ['risk-flags'],
    riskFlags: ['terminal surface', 'requires credentials'],
  }
  const asked = inspectionSentences({ review: flagged, inspection }, 'en')
  expect(asked).toContain('Asks for credentials: the directory says so; not seen in its code.')
  expect(asked.filter((sentence) => /programs/.test(sentence))).toEqual([
    'Starts other programs: a, b, c, d, e, f and 2 more.',
  ])
})
