import type { Activation, Adds, JobState, Outcome } from '../../protocol/index.ts'
import { parseWaiting, remedyFor } from '../../protocol/next-steps.ts'
import { isCommit, splitPackageId } from '../../protocol/package-id.ts'
import type { outcomes as en } from '../en/outcomes.ts'
import { formatTime } from '../formats.ts'
import { installedView, nowIs } from './installed.ts'
import { uses } from './plugin-states.ts'
import { repaired } from './repair.ts'

/** Quotes another program, as the end of a sentence. */
const quoted = ([words]: readonly string[]) => (words ? `：“${words}”。` : '。')

const IF_APPLIED = '正在运行的 Harness 会在几秒内应用此更改。'
const inUse = (activation: Activation): string => {
  if (activation === 'restart-unless-applied') return IF_APPLIED
  return activation === 'live' ? '正在运行的 Harness 已开始使用此插件。' : '重启 Harness 后生效。'
}
/** Tells how to use a plugin: by what was seen of it, and when. */
function howToUse({
  activation,
  adds = NOTHING,
}: Pick<Outcome, 'activation'> & Partial<Pick<Outcome, 'adds'>>): string {
  const isNow = activation === 'live'
  const ways = uses(adds, isNow)
  if (isNow) return (ways.length > 0 ? ways : [inUse(activation), '用法见其 README。']).join('')
  return [inUse(activation), ...ways].join('')
}
/** Tells what an update adds; empty when that is nothing, or not known. */
function newParts({ commands, tools }: Adds): string {
  const parts = [...commands.map((name) => `/${name}`), ...tools.map((name) => `工具 ${name}`)]
  return parts.length > 0 ? `新增：${parts.join('、')}。` : ''
}
const NOTHING: Adds = { commands: [], tools: [] }
const PAGE_KEEPS = '正在运行的 Harness 已停止使用此插件，但网页中属于它的部分要到重启后才会消失。'
const UNLOADED = {
  live: '正在运行的 Harness 和已打开的页面均已停止使用此插件。',
  restart: '重启前，正在运行的 Harness 仍会使用此插件。',
  'restart-for-page': PAGE_KEEPS,
  'restart-unless-applied': IF_APPLIED,
}

/** Describes the profile after the job, at the start of a sentence. */
const afterAction: Readonly<Record<JobState['action'], string>> = {
  install: '安装此插件',
  approve: '安装此插件',
  update: '更新到最新版本',
  enable: '启用此插件',
  disable: '停用此插件',
  remove: '移除此插件',
  undo: '撤销上次更改',
  redo: '重做已撤销的更改',
  repair: '修复配置档',
  sync: '按文件更改',
}

/** Tells what is there after an undo or a redo: the subjects are each plugin and what it is now. */
function reverted({ subjects, activation }: Pick<Outcome, 'subjects' | 'activation'>, otherwise: string): string {
  const changes = subjects.flatMap((name, index) =>
    index % 2 === 0 ? `${nowIs(name, subjects[index + 1] ?? '')}。` : [],
  )
  const what = changes.length > 0 ? changes : [otherwise]
  const effect = {
    unchanged: '',
    live: '',
    restart: '重启 Harness 后生效。',
    'restart-for-page': PAGE_KEEPS,
    'restart-unless-applied': IF_APPLIED,
  }[activation]
  return [...what, effect].join('')
}

/** Tells why an update brought nothing. */
function notUpdated([, now, ...waiting]: readonly string[]): string {
  const release = parseWaiting(waiting)
  if (release !== null) return installedView[release.isUnseen ? 'unseen' : 'waiting'](release)
  return now ? `当前版本为 ${now}，没有更新的版本。` : '未发现更新的版本。'
}

/** Tells what helps after a sentence of pnpm, or of the store about a file of the profile. */
function helpAfter({ subjects, remedy = remedyFor(subjects) }: Parameters<typeof en.outcomeNext.failed>[0]): string {
  switch (remedy) {
    case 'strictPeerDependencies':
    case 'blockExoticSubdeps':
      return `pnpm 的设置拒绝了它；如果仍要安装，请在配置档的 pnpm-workspace.yaml 中设置“${remedy}: false”。`
    case 'trustPolicy':
      return 'pnpm 设置为拒绝来源证明弱于以往版本的发布（trustPolicy）。它可能属于从未附带此类证明的旧版本线，也可能由他人发布，pnpm 无法区分。请向插件作者确认，或改用附带证明的新版本；如果仍要安装，请将其加入配置档 pnpm-workspace.yaml 的 trustPolicyExclude。'
    case 'machine':
      return '请安装它所需的内容，然后重试；如果没有适用于这台机器的版本，请向插件作者反馈。'
    case 'build':
      return '可能缺少编译器或其他程序，请查看输出；否则请向插件作者反馈。'
    case 'profile':
      return '请检查配置档的文件是否完好，然后重试。'
    default:
      return '请重试；如果仍然失败，请向插件作者反馈。'
  }
}

export const outcomes: typeof en = {
  outcomeTitle: {
    registered: '已安装',
    updated: '已更新',
    removed: '已移除',
    enabled: '已启用',
    disabled: '已停用',
    reverted: '已撤销',
    redone: '已重做',
    repaired: '已修复',
    synced: '已与文件一致',
    'not-synced': '与文件不一致',
    'unsafe-lock': '文件不安全',
    'nothing-to-do': '无需操作',
    'not-a-layer': '不是插件',
    'build-blocked': '构建脚本被阻止',
    incompatible: '不兼容',
    'not-found': '未找到',
    'file-missing': '文件缺失',
    'too-new': '版本太新',
    'pnpm-unusable': 'pnpm 无法在此工作',
    'not-authorized': '没有读取权限',
    'hangs-harness': 'Harness 未能启动完成',
    unreachable: '无法连接',
    damaged: '下载内容损坏',
    'stops-harness': '会导致 Harness 无法启动',
    'does-not-start': '插件无法启动',
    'breaks-others': '会影响其他插件',
    'no-effect': '没有作用',
    rejected: '被 Harness 拒绝',
    'breaks-screen': '会导致网页无法显示',
    'profile-broken': 'Harness 无法启动',
    'source-changed': '内容与查看时不同',
    'other-source': '名称已被占用',
    'profile-changed': '配置档已更改',
    'disk-error': '磁盘出错',
    'program-missing': '找不到程序',
    'profile-missing': '找不到配置档',
    'store-outdated': '请先更新 Plugmark',
    interrupted: '已中断',
    'timed-out': '超时',
    cancelled: '已取消',
    failed: '失败',
  },
  outcomeNext: {
    registered: (ending) => (ending.activation === 'unchanged' ? '配置档中已是此版本。' : howToUse(ending)),
    updated: ({ subjects: [before, now], activation, adds = NOTHING }) =>
      `${before && now && before !== now ? `从 ${before} 更新到 ${now}。` : ''}${
        activation === 'live'
          ? '正在运行的 Harness 已开始使用新版本。'
          : activation === 'unchanged'
            ? '仍为停用状态。'
            : '新版本将在重启 Harness 后生效。'
      }${newParts(adds)}`,
    removed: ({ activation }) => ({ unchanged: 'Harness 此前没有加载此插件。', ...UNLOADED })[activation],
    enabled: howToUse,
    disabled: ({ activation }) =>
      `插件仍保留在配置档中，但 Harness 启动时不会加载它。${{ unchanged: '', ...UNLOADED }[activation]}`,
    reverted: (outcome) => reverted(outcome, '配置档已恢复到上次更改之前的状态。'),
    redone: (outcome) => reverted(outcome, '配置档已恢复到撤销之前的状态。'),
    repaired: (outcome) => repaired(outcome),
    synced: ({ activation }) =>
      `配置档已与文件一致。${activation === 'unchanged' || activation === 'live' ? '' : inUse(activation)}`,
    'not-synced': ({ subjects }) =>
      `包管理器的结果与文件不同${subjects[0] ? `：${subjects.join('、')}` : ''}。请在生成该文件的地方重新生成，或重试。`,
    'unsafe-lock': ({ subjects: [name = '', by] }) =>
      `此文件会安装 ${name}，而${by ? ` ${by} 并未要求它` : '它是已知的恶意软件'}。请勿使用此文件。`,
    'nothing-to-do': ({ action, subjects }) =>
      ({
        install: '配置档中已有此插件。',
        approve: '配置档中已有此插件。',
        update: notUpdated(subjects),
        remove: '此配置档中已没有这个插件。',
        enable: '此插件已经启用。',
        disable: '此插件已经停用。',
        undo: '此配置档没有可以撤销的更改。',
        redo: '此配置档没有可以重做的更改。',
        repair: 'Harness 可以使用此配置档正常启动。',
        sync: '配置档已与文件一致。',
      })[action],
    'not-a-layer': () => '此软件包不是 Harness 的插件，Harness 不会加载它。请查看其源代码了解用途。',
    'build-blocked': ({ subjects }) =>
      `${subjects.map((id) => splitPackageId(id).name).join('、') || '某个软件包'} 的构建脚本没有运行。请查看将要运行的内容，然后批准。`,
    incompatible: ({ subjects: [plugin, harness, asks] }) =>
      `${
        plugin && harness && asks
          ? `${plugin} 需要其他版本的 Harness（${asks}），当前版本为 ${harness}`
          : '此插件是为其他版本的 Harness 编写的'
      }。请更新 Harness，或等待插件发布兼容的版本。`,
    'not-found': ({ subjects }) =>
      `${
        subjects[0] === undefined
          ? '代码托管网站上没有这个仓库'
          : isCommit(subjects[0])
            ? `代码托管网站上没有提交 ${subjects[0]}`
            : `软件包仓库中没有 ${subjects.join('、')}`
      }，或者你无权访问。${
        isCommit(subjects[0] ?? '')
          ? '可能历史已被改写，或者只有派生仓库中有它。请改用其他提交。'
          : '插件目录中的信息可能已经过时，请查看其源代码。'
      }`,
    'file-missing': ({ subjects: [file, name] }) =>
      `配置档中的${name ? `“${name}”` : '某个软件包'}安装自${
        file ? `“${file}”` : '某个文件'
      }，但它已不存在，而包管理器每次更改配置档都要用到它。请将其恢复或移除该软件包，然后重试。`,
    'too-new': ({ subjects: [name, at] }) =>
      `pnpm 设置了新版本的等待时间（minimumReleaseAge），${name ?? '某个软件包'}${
        at ? `要到 ${formatTime('zh', Date.parse(at))} 之后才能安装` : '发布时间太短'
      }。请届时重试，或将其加入配置档 pnpm-workspace.yaml 的 minimumReleaseAgeExclude。`,
    'pnpm-unusable': ({ subjects, remedy = remedyFor(subjects) }) =>
      `某项设置或某个文件使 pnpm 无法工作${quoted(subjects)}${
        remedy === 'reinstall'
          ? '请用与之前相同的用户和设置启动商店，或在配置档文件夹中运行“pnpm install --no-frozen-lockfile”'
          : '请改正配置档的 pnpm-workspace.yaml、.npmrc 或 pnpm 自身的 config.yaml 中的这项设置或补丁'
      }，然后重试。`,
    'not-authorized': ({ subjects: [by, what] }) =>
      by === 'ssh'
        ? `git 无法通过 SSH 读取仓库${what ? `：“${what}”` : ''}。请将你的 SSH 公钥添加到代码托管平台，或接受其主机密钥，直到在终端中可以用 “git ls-remote” 访问该地址，然后重试。`
        : `软件包仓库不允许你读取 ${what ?? '此软件包'}。请在 .npmrc 中设置有效的令牌，然后重试。`,
    'hangs-harness': ({ subjects: [seconds, row], action }) =>
      `${afterAction[action]}后，Harness 在 ${seconds} 秒内没有启动完成${row ? `，仍在等待 ${row}` : ''}。请向插件作者反馈。如果这台机器较慢，可在商店配置中提高 startLimit。`,
    unreachable: ({ subjects: [by, why] }) =>
      by === 'certificate'
        ? `软件包仓库或代理的证书在这台机器上不受信任${why ? `（${why}）` : ''}。请将 NODE_EXTRA_CA_CERTS 设为所在组织的证书，或检查系统时间，然后重试。`
        : '无法连接软件包仓库或代码托管网站，或对方返回了无效的响应。请检查网络连接，然后重试。',
    damaged: () =>
      '下载的内容与软件包仓库公布的不一致，可能在传输过程中被截断或篡改。请重试；如果仍然如此，请不要安装。',
    'stops-harness': ({ subjects, action }) =>
      `${afterAction[action]}会导致 Harness 无法启动${quoted(subjects)}请向插件作者反馈。`,
    'does-not-start': ({ subjects, action }) =>
      `${afterAction[action]}后，Harness 可以启动，但插件本身无法启动${quoted(subjects)}请向插件作者反馈。`,
    'breaks-others': ({ subjects, action }) =>
      `${afterAction[action]}会导致 Harness 的其他部分无法正常运行${quoted(subjects)}请向插件作者反馈。`,
    'no-effect': () =>
      '此插件可以安装，但对当前 Harness 不起任何作用。它可能是为其他版本的 Harness 编写的，请查看其源代码。',
    rejected: ({ subjects }) => `Harness 不接受此插件${quoted(subjects)}请向插件作者反馈。`,
    'breaks-screen': ({ subjects, action }) =>
      `${afterAction[action]}后，Harness 可以启动，但其网页无法显示${quoted(subjects)}请向插件作者反馈。`,
    'profile-broken': ({ subjects, action }) =>
      action === 'repair'
        ? `Harness 无法使用此配置档正常启动${quoted(subjects)}无法确定是哪个插件造成的。如果启动时间过长，或没有页面或浏览器可以测试网页，请关闭其他程序，保持商店页面打开，然后重试。`
        : `即使不做此更改，Harness 也无法使用此配置档启动${quoted(subjects)}请先修复配置档。`,
    'source-changed': ({ subjects }) => {
      const [reviewed = '', found = ''] = subjects
      if (subjects.length === 2 && splitPackageId(reviewed).name === splitPackageId(found).name)
        return `你同意的是 ${reviewed}，而其来源现在提供的是 ${found}。请重新查看。`
      const names = `${subjects.slice(0, 3).join('、')}${subjects.length > 3 ? ` 等 ${subjects.length} 个软件包` : ''}`
      return `软件包仓库或代码托管网站提供的内容与你查看的或测试时的不同${names && `：${names}`}。请重新查看。`
    },
    'other-source': ({ subjects }) =>
      `配置档中已有来自其他来源的${subjects[0] ? `“${subjects[0]}”` : '同名软件包'}。如需替换，请先在终端中将其移除。`,
    'profile-changed': ({ subjects, action }) =>
      action === 'undo' || action === 'redo'
        ? `此后其他程序更改了 ${subjects.join('、') || '配置档'}，因此未${action === 'redo' ? '重做已撤销的更改' : '撤销上次更改'}。`
        : '在此期间，配置档被修改了。请检查其当前内容，然后重试。',
    'disk-error': ({ subjects: [code, path] }) =>
      code === 'ENOSPC' || code === 'EDQUOT'
        ? '磁盘已满。请在存放 Harness 数据和软件包缓存的磁盘上释放空间，然后重试。'
        : `系统不允许读取或写入${path ? `“${path}”` : '配置档中的文件'}${
            code ? `（${code}）` : ''
          }。请检查文件是否完好，以及其权限和所有者，然后重试。`,
    'program-missing': ({ subjects: [program] }) =>
      program === 'git'
        ? '此插件来自代码托管网站，pnpm 需要 git 才能安装。请安装 git，然后重试。'
        : program === 'pnpm'
          ? 'Harness 使用 pnpm 安装插件，但在这台机器上找不到它。请安装 pnpm，然后重试。'
          : '无法运行 Harness 的启动命令，或该命令运行的是其他程序或过旧的版本（见输出）。请更新它，或指定正确的程序：在商店配置中设置“command”，或使用 --harness。',
    'profile-missing': () => '配置档已不存在，或其 package.json 无法读取。请先用此配置档的名称启动一次 Harness。',
    'store-outdated': () =>
      '较新版本的 Plugmark 处理过此配置档，当前版本无法读取其留下的数据。没有运行任何命令。请更新此处的 Plugmark，然后重试。',
    interrupted: ({ subjects: [lock], rollback }) =>
      `运行商店的程序在任务完成前退出了。${rollback === null ? '没有进行任何更改。' : ''}${lock ? `已删除 Harness 遗留在配置档中的 ${lock}。` : ''}请重试。`,
    'timed-out': () => '任务达到时间上限，已停止。请重试。上限可在商店配置中提高。',
    cancelled: () => '你取消了此任务。',
    failed: (ending) =>
      `${ending.subjects[0] ? `命令执行失败${quoted(ending.subjects)}` : '原因见输出的最后几行。'}${helpAfter(ending)}`,
  },
  rollback: (rollback, profile) => {
    const changed = profile?.changed ?? []
    const files = changed.join('、')
    if (rollback === 'failed')
      return `未能撤销：无法还原配置档。此配置档的下一个任务会再次尝试还原。${files && `已更改的文件：${files}。`}`
    if (rollback === 'unreadable')
      return `未能撤销：无法读取配置档的备份，因此配置档保持任务结束时的状态。${files && `已更改的文件：${files}。`}`
    if (rollback === 'partial')
      return `已撤销，但其他程序在此期间安装的软件包不完整，或插件的固定未能还原，请检查。${files && `已更改的文件：${files}。`}`
    if (rollback === 'changed')
      return `插件是在副本中测试的，但在此期间配置档本身的文件发生了变化：${files}。可能是插件或其他程序写入的。`
    const asItWas = profile?.registered ? '配置档保持不变，插件仍处于已安装状态' : '配置档保持不变'
    if (!files) return `${asItWas}。`
    const again = changed.includes('package.json')
      ? '如果 package.json 中现在列有其他软件包，请重新安装这些软件包。'
      : ''
    return `${asItWas}。在此期间，其他程序修改了 ${files}，这些修改已保留。${again}`
  },
  quarantined: (names) => `无法读取的内容已移至配置档文件夹中的${names.map((name) => `“${name}”`).join('、')}。`,
  trial: ({ harnessStarted, pageLoaded }) => {
    if (!harnessStarted)
      return '命令已在测试副本中成功运行。无法测试 Harness 能否启动：无论有没有此插件，此配置档都无法单独启动。'
    const watched = '在副本中观察了约两秒。'
    if (pageLoaded === null) return `已在测试副本中正常启动。${watched}`
    if (pageLoaded) return `已在测试副本中正常启动，网页也能正常显示。${watched}`
    return `已在测试副本中正常启动。${watched}其网页部分只检查了语法，未能查看实际效果：没有打开的商店页面，也找不到浏览器，或者页面没有响应。`
  },
  restart: {
    terminal: '在运行 Harness 的终端中按 Ctrl+C 停止它，然后重新启动：',
    command: '使用以下命令重启 Harness：',
    page: '重启 Harness',
  },
  allowCommand: '如果仍要安装，并愿意承担 Harness 崩溃或数据损坏的风险，请自行运行以下命令，然后重试：',
  removeCommand: '如果已经安装，可使用以下命令移除：',
}
