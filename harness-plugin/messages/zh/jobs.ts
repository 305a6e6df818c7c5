import { hasAllRequired } from '../../protocol/fit.ts'
import type { DeclaredFit, Past, StartAgain } from '../../protocol/index.ts'
import { shortVersion } from '../../protocol/package-id.ts'
import { ANY_BUILDS } from '../../protocol/review-facts.ts'
import type { Texts } from '../en/index.ts'
import { formatMinutes } from '../formats.ts'
import { fit } from './fit.ts'
import { updates } from './installed.ts'

const MISFIT: Readonly<Partial<Record<DeclaredFit['state'], string>>> = {
  refused: '，因此不会接受此插件。',
  allowed: '，但你已允许它使用此插件。',
  'not-enforced': '，它不检查版本，插件可能无法正常工作。',
}

const confirm: Texts['review']['confirm'] = {
  install: '安装',
  approve: '批准并安装',
  update: '更新',
  remove: '移除',
  enable: '启用',
  disable: '停用',
}

function pastText(past: Past | null): string | null {
  if (!past) return null
  const { breaks, unknown } = past
  const [before, after] = [past.before, past.after].map((version) => shortVersion(version ?? ''))
  const sentences = breaks.map((one) => {
    if (one.kind === 'history') return `已安装的提交 ${before} 不在 ${after} 的历史中：代码仓库被改写或替换。`
    if (one.kind === 'publisher')
      return `${after} 由 ${one.after} 发布，此人从未参与此前的版本。此前的版本来自 ${one.before.join('、')}。`
    if (one.kind === 'signature') return `软件包仓库曾为 ${before} 签名，但没有 ${after} 的签名。`
    return one.after === null
      ? `${after} 不再指明代码仓库 ${one.before}。`
      : `${after} 指明的代码仓库是 ${one.after}，而 ${before} 指明的是 ${one.before}。`
  })
  if (unknown.includes('history')) sentences.push('无法读取历史，不知道新的提交是否衔接已安装的提交。')
  if (unknown.includes('document'))
    sentences.push(
      `${past.before === null ? '无法读取已安装的版本' : '无法读取软件包仓库'}，不知道此版本的发布者是否与已安装的相同。`,
    )
  return sentences.length > 0 ? sentences.join('') : null
}

export const review: Texts['review'] = {
  title: (action, name) => `${confirm[action]} ${name}`,
  goBack: (name) => `换回 ${name}`,
  loading: '正在加载…',
  anyway: '仍要安装',
  fitting: (version) => `查看适配的版本 ${version}`,
  checkedAs: (command) => `安装检查运行的命令是“${command}”。`,
  versions: (before, after) => (before === null || before === after ? after : `${before} → ${after}`),
  passedOver: (reason, taken) => `${reason}因此更新到 ${taken}，即支持当前 Harness 的最新版本。`,
  spec: '安装内容',
  specPackage: (name) => `软件包 ${name}`,
  specRepository: (name) => `代码仓库 ${name}`,
  currentProfile: (name) => `${name}（当前）`,
  does: {
    update: '已安装的版本将更新到最新版本。安装检查针对的可能是其他版本。',
    remove: '将从配置档中移除此插件。',
    enable: 'Harness 会重新加载此插件。',
    disable: 'Harness 不再加载此插件。插件仍保留在配置档中，可随时重新启用。',
  },
  undoable: '之后可以撤销。',
  tried: '先在副本中试运行。如果失败，不会有任何改动。之后可以撤销。',
  triedBuilt: '先运行其脚本，再在副本中试运行。如果失败，配置档不变。之后可以撤销，但脚本所做的改动会保留。',
  more: '更多',
  otherVersions: '其他版本',
  again: '重新查看',
  rights: '插件的代码以你的权限运行。',
  trial:
    '会先在配置档的测试副本中启动插件，其代码拥有同样的权限：测试副本不是沙箱。启动后只观察约两秒，之后才出现的问题不会被发现。',
  runsInCopy: '代码在副本中也会运行。',
  trialWithout: '会先在配置档的测试副本中启动不含此插件的 Harness。',
  otherPlugins: {
    off: '其他插件不会在测试副本中启动，除非此插件依赖它们才能启动。',
    started: '其他插件也会在测试副本中运行，并使用你的账号。',
  },
  noTrial: '不会先在测试副本中测试：商店配置中已关闭此功能。',
  desktop:
    '无法先在测试副本中测试，因为只有桌面应用才能启动其配置档。安装失败会自动撤销；但如果插件会导致应用出错，只有安装后才能发现。',
  approval: {
    title: '将以你的权限运行的脚本',
    written: (keys) => `写入配置档 pnpm-workspace.yaml：${keys.join('、')}`,
    everyVersion: '今后任何版本的脚本都可以直接运行，不再询问：pnpm 10.19 及更高版本才能只批准某一个版本。',
    unknownScripts: '脚本内容未知，请查看其源代码。',
  },
  fit: {
    title: 'Harness 版本',
    loading: '正在检查是否支持当前 Harness…',
    unknown: '不清楚是否支持当前 Harness。',
    sentence: ({ state, harnessVersion, requirements, plugin, fitting, trial, problem }) => {
      if (problem === 'unauthorized')
        return `软件包仓库要求登录后才能查看 ${plugin}。请用 “pnpm login” 登录，然后重新查看。`
      if (state === 'not-found') return `软件包仓库或代码托管平台上没有 ${plugin}，无法安装。`
      const wants = requirements.length > 0 ? `需要 ${requirements.join('、')}` : '未说明需要哪个版本的 Harness'
      const older = fitting === null ? '' : `${fitting} 版声明支持当前 Harness。`
      if (harnessVersion === null) return `${wants}。`
      const tried = trial ? fit.tried(trial, plugin, `Harness ${harnessVersion}`) : ''
      if (tried && hasAllRequired({ state })) return tried
      const misfit = MISFIT[state]
      const compared = misfit
        ? `需要其他版本的 Harness（${requirements.join('、')}），当前版本为 ${harnessVersion}${misfit}`
        : `${wants}；当前 Harness 版本为 ${harnessVersion}。`
      return `${tried}${compared}${older}`
    },
    cautions: {
      unmet: () => '此插件是为其他版本的 Harness 编写的，可能导致 Harness 崩溃或数据损坏。',
      'foreign-scope': ({ plugin }) => `${plugin} 使用了 Harness 自己的命名空间，但其代码仓库属于他人。`,
      shadows: ({ shadows }) => `此插件自带 ${shadows.join('、')}，可能会取代 Harness 自己的软件包并导致其出错。`,
      deprecated: ({ deprecated }) => `作者已弃用此版本：${deprecated}`,
    },
  },
  facts: {
    loadedAs: {
      title: '重复加载',
      text: (name) => (name ? `配置档已从同一仓库加载 ${name}。请先移除它，否则两者都会运行。` : null),
    },
    commit: {
      title: '提交',
      text: (commit) =>
        commit === 'unknown'
          ? '无法读取其代码仓库的提交，实际安装的代码可能与此处所述不同。'
          : commit
            ? `只安装其代码仓库的提交 ${commit}。`
            : null,
    },
    held: {
      title: '已固定',
      text: (hold) =>
        hold &&
        updates.held(hold).replace(/[^。！？.!?]$/u, '$&。') +
          (hold.skips || hold.isUnknown ? '' : '更新后固定在新版本。'),
    },
    past: { title: '此前', text: pastText },
    blockedBuilds: {
      title: '构建脚本',
      text: (names) => `运行以下软件包的构建脚本之前会询问你：${names.join('、')}。`,
    },
    allowedBuilds: {
      title: '构建脚本',
      text: (keys, { action }) =>
        `此配置档${action === 'remove' ? '仍' : '此前已'}允许，可不经询问直接运行：${keys.join('、').replace(ANY_BUILDS, '所有软件包')}。${action === 'remove' ? '要收回，请在其 pnpm-workspace.yaml 中删除相应的行。' : ''}`,
    },
  },
  riskCaution: (flag, sentence) => `${flag}：${sentence}`,
  cautions: {
    unconfirmed: '无法连接插件目录，以下是它此前的信息。',
    'other-version': '安装检查运行的是最新版本，其结果不适用于此版本。',
    unlisted: '插件目录没有收录此来源，没有人检查过它。',
    'build-scripts': '其脚本在测试之前就会运行。',
    past: '它与已安装的内容不相衔接。代码仓库或名称被他人接管时就是这样。',
  },
  warnings: '警告',
  understood: '我已阅读以上警告。',
  confirm,
  wayBack: '重启之前，Harness 仍会运行当前版本。如果重启后新版本无法打开，请在终端中运行以下命令恢复：',
  cancel: '取消',
  close: '关闭',
}

const working: Texts['job']['working'] = {
  install: '安装中',
  approve: '安装中',
  update: '更新中',
  remove: '移除中',
  enable: '启用中',
  disable: '停用中',
  undo: '撤销中',
  redo: '重做中',
  repair: '修复中',
  sync: '正在按文件更改',
}

const startAgain: Readonly<Record<StartAgain['start'], string>> = {
  'with-others': '单独运行失败，正在与其他插件一起试运行',
  'without-change': '试运行失败，正在启动未作此更改的副本进行对比',
}

export const job: Texts['job'] = {
  title: {
    install: (name, profile) => `${name}（安装到配置档 ${profile}）`,
    approve: (name, profile) => `${name}（安装到配置档 ${profile}）`,
    update: (name, profile) => `${name}（在配置档 ${profile} 中更新）`,
    remove: (name, profile) => `${name}（从配置档 ${profile} 移除）`,
    enable: (name, profile) => `${name}（在配置档 ${profile} 中启用）`,
    disable: (name, profile) => `${name}（在配置档 ${profile} 中停用）`,
    undo: (name, profile) => `${name || '上次更改'}（在配置档 ${profile} 中撤销）`,
    redo: (name, profile) => `${name || '已撤销的更改'}（在配置档 ${profile} 中重做）`,
    repair: (_, profile) => `配置档 ${profile}（修复）`,
    sync: (_, profile) => `配置档 ${profile}（按文件更改）`,
  },
  starting: '正在启动…',
  profileBusy: '另一个程序正在使用此配置档，等待中',
  byOther: (action, names) => `另一个程序在此配置档中有任务：${`${working[action]} ${names}`.trim()}。`,
  behind: (ahead) => `前面还有 ${ahead} 个任务`,
  running: (action) => `${working[action]}…`,
  cancelling: '正在取消…',
  cancel: '取消',
  details: '详情',
  hide: '隐藏',
  elapsed: '已用时',
  stages: '阶段',
  stage: { preparing: '准备', trying: '在测试副本中试运行', starting: '启动测试副本', checking: '检查' },
  working,
  startingLong: '正在等待全部插件运行、网页加载完成',
  again: ({ start, limitMs }) => `${startAgain[start]}，最多 ${formatMinutes('zh', Math.ceil(limitMs / 60_000))}`,
  silent: '软件包仓库可能没有响应。',
  step: (step, of) => `${step}/${of}`,
  others: '其他任务',
  cancelNamed: (title) => `取消：${title}`,
  nextSteps: { approve: '批准…', retry: '重试…', source: '源代码' },
  report: { copy: '复制报告', failed: '复制失败，请选中输出内容手动复制。' },
  output: '输出',
  noOutput: '暂无输出。',
  outputGone: '输出未保留。',
  dropped: (count) => `已省略前 ${count} 行。`,
}
