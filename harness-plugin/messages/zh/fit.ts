import type { FitState } from '../../protocol/index.ts'
import type { Texts } from '../en/index.ts'

const older = (fitting: string | null) => (fitting === null ? '' : `${fitting} 版声明支持当前 Harness。`)

const SENTENCES: Readonly<Record<FitState, (harness: string) => string>> = {
  runs: (harness) => `可在 ${harness} 中运行。`,
  'does-not-run': (harness) => `无法在 ${harness} 中运行。`,
  'declared-to-fit': (harness) => `声明支持 ${harness}。`,
  'declared-not-to-fit': (harness) => `声明不支持 ${harness}。`,
  'not-declared': () => '未说明支持哪些版本的 Harness。',
  'not-found': () => '软件包仓库或代码托管平台上没有此插件。',
  unknown: () => '支持的 Harness 版本未知。',
}

export const fit: Texts['fit'] = {
  title: '适用于当前 Harness',
  misfit: {
    'did-not-start': (time) => `曾在此启动失败，${time}`,
    'needs-newer': () => '需要更新版本的 Harness',
    'needs-older': () => '适用于旧版 Harness',
    other: () => '不适用于当前 Harness',
    'not-found': () => '找不到来源',
  },
  declaresNot: (version) => `声明不支持 Harness ${version}。`,
  sentence: (fit) =>
    SENTENCES[fit.state](fit.harnessVersion === null ? '当前 Harness' : `Harness ${fit.harnessVersion}`),
  evidence: (fit, date = (at) => new Date(at).toISOString().slice(0, 10)) => {
    const { state, plugin, triedAt, why, requirements, fitting } = fit
    if (state === 'runs') return `${date(triedAt ?? 0)} 曾成功运行 ${plugin}。`
    if (state === 'does-not-run')
      return `${date(triedAt ?? 0)} 试运行 ${plugin} 失败${why.length > 0 ? `：${why.join(' ')}` : '。'}${older(fitting)}`
    return `${requirements.length === 0 ? '' : `需要 ${requirements.join('、')}。`}${older(fitting)}`
  },
}
