import type { Activation, JobAction } from '../../../bridge/index.ts'
import type { OutcomesWords } from './types.ts'

/** The words of another program, as the end of a sentence. */
const said = ([words]: readonly string[]) => (words ? `：“${words}”。` : '。')

const inUse = (activation: Activation): string =>
  activation === 'live' ? '正在运行的 Harness 已经可以使用它。' : '重启 Harness 后即可使用。'
const PAGE_KEEPS = '正在运行的 Harness 已不再有它，但它在网页中的部分要到重启后才会消失。'

/** The profile after the job, at the start of a sentence. */
const withIt: Readonly<Record<JobAction, string>> = {
  install: '装上这个插件后',
  approve: '装上这个插件后',
  update: '更新到最新版本后',
  enable: '启用这个插件后',
  disable: '停用这个插件后',
  remove: '移除这个插件后',
}

export const outcomes: OutcomesWords = {
  outcome: {
    registered: ({ activation }) => ({
      title: '已安装',
      next: activation === 'unchanged' ? '配置档中已经是这个版本。' : inUse(activation),
    }),
    updated: ({ subjects: [before, now], activation }) => ({
      title: '已更新',
      next: `${before && now && before !== now ? `从 ${before} 更新到 ${now}。` : ''}${
        activation === 'live' ? '正在运行的 Harness 已经用上新版本。' : '重启 Harness 后即可使用新版本。'
      }`,
    }),
    'up-to-date': ({ subjects: [, now] }) => ({
      title: '已是最新',
      next: now ? `${now} 就是最新版本。` : '没有更新的版本。',
    }),
    removed: ({ activation }) => ({
      title: '已移除',
      next: {
        unchanged: 'Harness 此前没有加载它。',
        live: '正在运行的 Harness 和已打开的页面也不再有它。',
        restart: '正在运行的 Harness 在重启前仍会保留它。',
        'restart-for-page': PAGE_KEEPS,
      }[activation],
    }),
    enabled: ({ activation }) => ({ title: '已启用', next: inUse(activation) }),
    disabled: ({ activation }) => ({
      title: '已停用',
      next: `它仍然装在配置档中，但 Harness 不会加载它。${
        {
          unchanged: '',
          live: '正在运行的 Harness 和已打开的页面已将其卸载。',
          restart: '正在运行的 Harness 在重启前仍会保留它。',
          'restart-for-page': PAGE_KEEPS,
        }[activation]
      }`,
    }),
    'not-a-layer': () => ({
      title: '不是插件',
      next: '这个软件包没有声明插件层，Harness 不会加载它。可以在其源代码中查看它的用途。',
    }),
    'build-blocked': ({ subjects }) => ({
      title: '构建脚本被阻止',
      next: `包管理器没有运行 ${subjects.join('、') || '某个软件包'} 的构建脚本，插件可能因此无法工作。请查看将要运行的内容，然后批准，或者作罢。`,
    }),
    'git-prepare-blocked': ({ subjects: [key] }) => ({
      title: '需要先构建',
      next: `未经允许，包管理器不会构建代码仓库${key ? `（这里是“${key}”）` : ''}。请查看将要运行的内容，然后批准，或者作罢。`,
    }),
    incompatible: ({ subjects: [plugin, harness, asks] }) => ({
      title: '被 Harness 拒绝',
      next: `${
        plugin && harness
          ? `${plugin} 要求 ${asks}，而这个 Harness 是 ${harness}`
          : '插件是为另一个版本的 Harness 编写的'
      }。请更新 Harness，或等待插件发布适用的版本。`,
    }),
    'not-found': ({ subjects }) => ({
      title: '未找到',
      next: `${
        subjects[0] ? `软件包仓库中没有 ${subjects.join('、')}` : '代码托管网站上没有这个仓库'
      }，或者你无权读取。目录中的信息可能已经过时，请查看其源代码。`,
    }),
    'file-missing': ({ subjects: [file, name] }) => ({
      title: '文件已不存在',
      next: `配置档中的${name ? `“${name}”` : '一个软件包'}装自${
        file ? `“${file}”` : '一个文件'
      }，该文件已不存在，而包管理器每次更改配置档都需要它。请放回文件，或移除该软件包，然后重试。`,
    }),
    unreachable: () => ({
      title: '无法连接',
      next: '无法连接到软件包仓库或代码托管网站，或对方没有正常应答。请检查网络后重试。',
    }),
    damaged: () => ({
      title: '下载内容有误',
      next: '收到的内容与软件包仓库公布的不一致：可能在传输中被截断或改动。请重试；如果一直如此，请不要安装。',
    }),
    'stops-harness': ({ subjects, action }) => ({
      title: '使 Harness 无法启动',
      next: `${withIt[action]} Harness 无法启动${said(subjects)}请告知插件作者。`,
    }),
    'does-not-start': ({ subjects, action }) => ({
      title: '插件无法启动',
      next: `${withIt[action]} Harness 可以启动，但插件本身没有运行${said(subjects)}请告知插件作者。`,
    }),
    'breaks-others': ({ subjects, action }) => ({
      title: '影响其他插件',
      next: `${withIt[action]} Harness 的其他部分不再运行${said(subjects)}请告知插件作者。`,
    }),
    'no-effect': () => ({
      title: '没有作用',
      next: '它可以安装，但不会改变此 Harness 的任何内容。它可能是为其他版本制作的，请查看其源代码。',
    }),
    rejected: ({ subjects }) => ({
      title: 'Harness 拒绝安装',
      next: `Harness 不接受此插件${said(subjects)}请告知插件作者。`,
    }),
    'breaks-screen': ({ subjects, action }) => ({
      title: '使网页无法显示',
      next: `${withIt[action]} Harness 可以启动，但其网页无法显示${said(subjects)}请告知插件作者。`,
    }),
    'profile-broken': ({ subjects }) => ({
      title: 'Harness 无法启动',
      next: `即使保持原样，Harness 也无法从此配置档启动${said(subjects)}请先修复配置档。`,
    }),
    'trial-differs': () => ({
      title: '与试装的不同',
      next: '软件包仓库给配置档的文件与试装时的不同。请重试。',
    }),
    'other-source': ({ subjects }) => ({
      title: '名称已被占用',
      next: `配置档中已有来自别处的${subjects[0] ? `“${subjects[0]}”` : '同名软件包'}。如果要用这个取代它，请先手动将其移除。`,
    }),
    'profile-changed': () => ({
      title: '配置档已变化',
      next: '在副本中试装期间，配置档被其他程序或人修改。请查看它现在的内容，然后重试。',
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
      next: '无法启动 Harness 的程序。请在本插件的配置中设置 `command`。',
    }),
    'not-harness': () => ({
      title: '不是 Harness',
      next: '本应启动 Harness 的是另一个程序（见输出），没有作任何更改。请在本插件的配置中设置 `command`。',
    }),
    'harness-old': () => ({
      title: 'Harness 版本过旧',
      next: '这个版本的 Harness 不认识此命令。请更新 Harness 后重试。',
    }),
    'profile-missing': () => ({
      title: '找不到配置档',
      next: '配置档已不存在，或其 package.json 无法读取。请用它启动一次 Harness。',
    }),
    'not-prepared': ({ subjects }) => ({
      title: '没有运行任何命令',
      next: `未能为此准备好配置档${subjects[0] ? `（${subjects[0]}）` : ''}。请检查其中的文件是否完好、目录是否可写、磁盘空间是否足够，然后重试。`,
    }),
    'not-begun': () => ({
      title: '没有开始',
      next: '商店所在的程序在任务开始前就退出了，因此没有任何改动。请重试。',
    }),
    interrupted: () => ({ title: '已中断', next: '运行它的程序在中途退出了。请重试。' }),
    'timed-out': () => ({ title: '超时', next: '已在时间上限处结束。请重试，或在本插件的配置中提高上限。' }),
    cancelled: () => ({ title: '已取消', next: '你取消了此任务。' }),
    failed: () => ({ title: '失败', next: '原因见输出的最后几行。' }),
  },
  undo: (undo, profile) => {
    const changed = profile?.changed ?? []
    const files = changed.join('、')
    if (undo === 'failed')
      return `没有撤销：无法恢复配置档。下一个任务会再次尝试。${files && `有变化的文件：${files}。`}`
    if (undo === 'unreadable')
      return `没有撤销：无法读取配置档的备份，因此配置档保持任务结束时的状态。${files && `有变化的文件：${files}。`}`
    const asItWas = profile?.registered ? '配置档没有变化，插件仍然已安装' : '配置档没有变化'
    if (!files) return `${asItWas}。`
    const again = changed.includes('package.json') ? '如果其中列出了新的软件包，请重新安装它们。' : ''
    return `${asItWas}，只有 ${files} 期间被其他程序或人修改，已保留其修改。${again}`
  },
  setAside: (names) => `无法读取的内容已移到配置档目录下的${names.map((name) => `“${name}”`).join('、')}。`,
  tried: ({ harness, screen }) => {
    if (!harness)
      return '命令已在测试副本中成功运行。无法测试 Harness 能否启动：无论有没有这个插件，此配置档都无法自行启动。'
    if (screen === null) return '已在测试副本中正常启动。'
    if (screen) return '已在测试副本中正常启动，网页也正常。'
    return '已在测试副本中正常启动。网页部分未测试：没有打开的浏览器。'
  },
  restart: {
    terminal: '在运行 Harness 的终端按 Ctrl+C 结束它，再重新启动：',
    command: '用这条命令重启 Harness：',
    page: '重启 Harness',
  },
  allow: '如果仍要安装，并愿意承担 Harness 崩溃或数据受损的风险，请自行运行此命令，然后重试：',
  rescue: '如果已经装上，可用此命令移除：',
}
