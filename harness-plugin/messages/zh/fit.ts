import { isTestedHarness } from '../../protocol/fit.ts'
import type { FitState } from '../../protocol/index.ts'
import { splitPackageId } from '../../protocol/package-id.ts'
import type { Texts } from '../en/index.ts'
import { formatDay } from '../formats.ts'

const older = (fitting: string | null) => (fitting === null ? '' : `${fitting} 版声明支持当前 Harness。`)

const tried: Texts['fit']['tried'] = ({ runs, at, why }, plugin, harness) => {
  const version = splitPackageId(plugin).version ?? ''
  const where = `${formatDay('zh', at)} 在本机 ${harness} 中`
  return runs
    ? `${where}运行过 ${version} 版。`
    : `${where}试运行 ${version} 版失败${why.length > 0 ? `：${why.join(' ')}` : '。'}`
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
    'did-not-start': (time) => `曾在此启动失败，${time}`,
    'needs-newer': () => '需要更新版本的 Harness',
    'needs-older': () => '适用于旧版 Harness',
    other: () => '不适用于当前 Harness',
    'not-found': () => '找不到来源',
  },
  untested: (version) =>
    isTestedHarness(version) === 'no' ? `此版本的 Plugmark 未在 Harness ${version} 上测试过。` : '',
  declaresNot: (version) => `声明不支持 Harness ${version}。`,
  tried,
  sentence: ({ state, harnessVersion, plugin, triedAt, why }) => {
    const harness = harnessVersion === null ? '当前 Harness' : `Harness ${harnessVersion}`
    return state === 'runs' || state === 'does-not-run'
      ? tried({ runs: state === 'runs', at: triedAt ?? 0, why }, plugin ?? '', harness)
      : SENTENCES[state](harness)
  },
  evidence: ({ state, requirements, fitting }) => {
    const isTried = state === 'runs' || state === 'does-not-run'
    return `${isTried || requirements.length === 0 ? '' : `需要 ${requirements.join('、')}。`}${older(fitting)}`
  },
}
