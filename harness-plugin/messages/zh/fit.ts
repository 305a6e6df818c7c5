import { isTestedHarness } from '../../protocol/fit.ts'
import type { FitState } from '../../protocol/index.ts'
import { splitPackageId } from '../../protocol/package-id.ts'
import type { Texts } from '../en/index.ts'
import { formatTime } from '../formats.ts'

const older = (fitting: string | null) => (fitting === null ? '' : `${fitting} 版声明支持当前 Harness。`)

const DID_NOT_START = '曾在此启动失败'
const BROKE_PAGE = '曾在此导致网页无法加载'

const tried: Texts['fit']['tried'] = ({ runs, breaksPage, at, why }, plugin, harness) => {
  const { version } = splitPackageId(plugin)
  const what = runs ? '曾在此运行' : breaksPage ? BROKE_PAGE : DID_NOT_START
  const quote = why.length > 0 ? `：“${why.join(' ')}”` : ''
  return `${what}（${formatTime('zh', at)}，${version} 版，${harness}）${quote}。`
}

const SENTENCES: Readonly<Record<Exclude<FitState, 'runs' | 'does-not-run'>, (harness: string) => string>> = {
  'declared-to-fit': (harness) => `声明支持 ${harness}。`,
  'declared-not-to-fit': (harness) => `声明不支持 ${harness}。`,
  'not-declared': () => '未说明需要哪个版本的 Harness。',
  'not-found': () => '软件包仓库或代码托管平台上没有此插件。',
  unknown: () => '不清楚是否支持当前 Harness。',
}

export const fit: Texts['fit'] = {
  misfit: {
    'did-not-start': (time) => `${DID_NOT_START}（${time}）`,
    'broke-page': (time) => `${BROKE_PAGE}（${time}）`,
    'needs-newer': () => '需要更新版本的 Harness',
    'needs-older': () => '适用于旧版 Harness',
    other: () => '不适用于当前 Harness',
    'not-found': () => '找不到来源',
  },
  untested: (version) =>
    isTestedHarness(version) === 'no' ? `此版本的 Plugmark 未在 Harness ${version} 上测试过。` : '',
  tried,
  sentence: ({ state, harnessVersion, plugin, triedAt, breaksPage, why }) => {
    const harness = harnessVersion === null ? '当前 Harness' : `Harness ${harnessVersion}`
    return state === 'runs' || state === 'does-not-run'
      ? tried({ runs: state === 'runs', breaksPage, at: triedAt ?? 0, why }, plugin ?? '', harness)
      : SENTENCES[state](harness)
  },
  declared: ({ state, requirements, fitting }) => {
    const isTried = state === 'runs' || state === 'does-not-run'
    return `${isTried || requirements.length === 0 ? '' : `需要 ${requirements.join('、')}。`}${older(fitting)}`
  },
}
