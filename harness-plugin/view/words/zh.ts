import { finding } from './finding/zh.ts'
import type { StoreWords } from './types.ts'
import { withoutVersion } from './without-version.ts'

/** The words of another program, as the end of a sentence. */
const said = ([words]: readonly string[]) => (words ? `：“${words}”。` : '。')

export const zh: StoreWords = {
  finding,
  title: '插件商店',
  subtitle: '默认显示安装命令已由目录实际运行并通过的插件。',
  category: '分类',
  stars: (count) => `${count} 颗星`,
  install: '安装',
  installNamed: (name) => `安装 ${name}`,
  installing: '正在安装',
  queued: '排队中',
  installed: '已安装',
  back: '返回列表',
  noSummary: '目录中没有它的简介。',
  source: '源代码',
  sourceOf: (name) => `${name} 的源代码`,
  license: '许可证',
  noLicense: '未注明',
  package: '软件包',
  language: '语言',
  check: '安装检查',
  checkedOn: (verdict, date) => (date ? `${verdict}，${date}` : verdict),
  risks: '风险标记',
  noRisks: '未发现',
  builds: '被阻止的构建',
  buildsSentence: '检查时没有运行以下软件包的构建脚本：',
  pickOne: '选择一个插件以查看详情。',
  harnessMissing: (cli) => `这台机器上找不到“${cli}”，因此无法在这里安装。`,
  noProfiles: 'Harness 还没有配置档。请先启动一次，再打开此页。',
  review: {
    title: (name) => `安装 ${name}`,
    loading: '正在查询…',
    command: '将要运行',
    checkedAs: (command) => `安装检查运行的是：${command}`,
    profile: '安装到配置档',
    rights: '插件的代码将以你的权限在这台机器上运行。',
    understood: '我已阅读上述警告。',
    confirm: '安装',
    cancel: '取消',
    close: '关闭',
  },
  job: {
    title: (name, profile) => `${name}，安装到配置档 ${profile}`,
    queued: (ahead) => (ahead === 0 ? '正在等待另一个处理此配置档的程序' : `前面还有 ${ahead} 个安装任务`),
    running: '正在安装…',
    cancelling: '正在取消…',
    cancel: '取消',
    hide: '隐藏',
    output: '输出',
    noOutput: '还没有输出。',
    outputGone: '没有它的输出。',
    dropped: (count) => `更早的 ${count} 行没有保留。`,
    jobs: '安装任务',
  },
  outcome: {
    registered: () => ({ title: '已注册', next: '重启 Harness 后即可使用。' }),
    updated: ([before, now]) => ({
      title: '已更新',
      next: `${before && now ? `从 ${before} 更新到 ${now}。` : ''}重启 Harness 后即可使用新版本。`,
    }),
    'up-to-date': ([, now]) => ({ title: '已是最新', next: now ? `${now} 就是最新版本。` : '没有更新的版本。' }),
    removed: () => ({
      title: '已移除',
      next: '正在运行的 Harness 在重启前仍会保留它；它在网页中的部分会在下次刷新时消失。',
    }),
    'not-a-layer': () => ({
      title: '不是插件',
      next: '这个软件包没有声明插件层，Harness 不会加载它。可以在其源代码中查看它的用途。',
    }),
    'build-blocked': (subjects) => ({
      title: '构建脚本被阻止',
      next: `包管理器没有运行 ${subjects.join('、') || '某个软件包'} 的构建脚本。如果你信任它，请在配置档的 pnpm-workspace.yaml 中把${
        subjects.map((name) => `“${withoutVersion(name)}”`).join('、') || '输出中给出的名称'
      }加入 onlyBuiltDependencies，然后重新安装。`,
    }),
    'git-prepare-blocked': (subjects) => ({
      title: '需要先构建',
      next: `未经允许，包管理器不会构建代码仓库。如果你信任它，请在配置档的 pnpm-workspace.yaml 中把${
        subjects[0] ? `“${subjects[0]}”` : '输出中给出的键'
      }加入 onlyBuiltDependencies，然后重新安装。`,
    }),
    'not-found': (subjects) => ({
      title: '未找到',
      next: `${
        subjects[0] ? `软件包仓库中没有 ${subjects.join('、')}` : '代码托管网站上没有这个仓库'
      }，或者你无权读取。目录中的信息可能已经过时，请查看其源代码。`,
    }),
    unreachable: () => ({ title: '无法连接', next: '无法连接到软件包仓库或代码托管网站。请检查网络后重新安装。' }),
    'stops-harness': (subjects) => ({
      title: '使 Harness 无法启动',
      next: `装上这个插件后 Harness 无法启动${said(subjects)}请告知插件作者。`,
    }),
    'breaks-screen': (subjects) => ({
      title: '使网页无法显示',
      next: `装上这个插件后 Harness 可以启动，但其网页无法显示${said(subjects)}请告知插件作者。`,
    }),
    'profile-broken': (subjects) => ({
      title: 'Harness 无法启动',
      next: `即使没有这个插件，Harness 也无法从此配置档启动${said(subjects)}请先修复配置档。`,
    }),
    'trial-differs': () => ({
      title: '与试装的不同',
      next: '软件包仓库给配置档的文件与试装时的不同。请重新安装。',
    }),
    'other-source': (subjects) => ({
      title: '名称已被占用',
      next: `配置档中已有来自别处的${subjects[0] ? `“${subjects[0]}”` : '同名软件包'}。如果要用这个取代它，请先将其移除。`,
    }),
    'profile-changed': () => ({
      title: '配置档已变化',
      next: '试装期间，配置档被其他程序或人修改。请查看它现在的内容，然后重试。',
    }),
    'disk-full': () => ({
      title: '磁盘已满',
      next: '请在存放 Harness 数据和软件包缓存的磁盘上腾出空间，然后重试。',
    }),
    'pnpm-missing': () => ({
      title: '缺少 pnpm',
      next: 'Harness 使用 pnpm 安装插件，而这台机器上没有。请安装 pnpm 后重试。',
    }),
    'harness-missing': () => ({
      title: '找不到 Harness',
      next: '无法启动 Harness 的程序。请在本插件的配置中设置启动命令。',
    }),
    'harness-old': () => ({
      title: 'Harness 版本过旧',
      next: '这个版本的 Harness 不认识此命令。请更新 Harness 后重试。',
    }),
    'profile-missing': () => ({
      title: '找不到配置档',
      next: '配置档已不存在，或其 package.json 无法读取。请用它启动一次 Harness。',
    }),
    'not-prepared': (subjects) => ({
      title: '没有运行任何命令',
      next: `安装前无法备份配置档${subjects[0] ? `（${subjects[0]}）` : ''}。请检查其目录是否可写、磁盘空间是否足够，然后重新安装。`,
    }),
    interrupted: () => ({ title: '已中断', next: '控制台在安装过程中退出了。请重新安装。' }),
    'timed-out': () => ({ title: '超时', next: '已在时间上限处结束。请重新安装，或在本插件的配置中提高上限。' }),
    cancelled: () => ({ title: '已取消', next: '已按你的要求结束。' }),
    failed: () => ({ title: '失败', next: '原因见输出的最后几行。' }),
  },
  undo: (undo, profile) => {
    if (undo === 'undone') return profile?.registered ? '配置档没有变化，插件依然已注册。' : '配置档没有变化。'
    const changed = profile?.changed.length ? `有变化的文件：${profile.changed.join('、')}。` : ''
    if (undo === 'changed-elsewhere') return `没有撤销：配置档同时被其他程序或人修改，因此保持现状。${changed}`
    return `没有撤销：无法恢复配置档。下次向它安装时会再次尝试。${changed}`
  },
  tried: ({ harness, screen }) => {
    if (!harness) return '事先没有试着启动 Harness。'
    if (screen) return '在配置档的副本中，Harness 及其网页都能正常启动。'
    return '在配置档的副本中，Harness 能正常启动。网页没有试过：没有浏览器打开它。'
  },
  rescue: (command) => `如果已经装上，可用此命令移除：${command}`,
  refused: {
    'not-installable': '无法在这里安装它。',
    'bad-token': '这次确认已用过或已过期，请重新打开。',
    'already-running': '这个安装正在进行。',
    'unknown-profile': '没有这个配置档。请用它启动一次 Harness。',
    'unknown-listing': '目录中已没有这个插件。',
    untrusted: '控制台拒绝了此页面。请在本机用它自己的地址打开。',
    directory: '无法查询目录。',
    other: '操作没有成功。',
  },
}
