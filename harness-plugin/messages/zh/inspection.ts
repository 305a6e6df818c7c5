import type { Texts } from '../en/index.ts'

const after = (names: string) => names && `：${names}`

const changedFiles = ({ changed, all }: { readonly changed: number; readonly all: number }) =>
  `${all} 个文件中有 ${changed} 个有改动`

/** Why something could not be read, as the end of a sentence. */
const UNREAD = {
  unauthorized: '软件包仓库要求登录',
  busy: '软件包仓库要求稍后再试',
  unreachable: '软件包仓库没有响应',
  'too-slow': '用时过长',
  failed: '读取程序出错',
}

export const inspection: Texts['inspection'] = {
  loading: '正在读取其代码…',
  notRead: (reason) => `未读取：${reason}。`,
  reasons: {
    ...UNREAD,
    'not-found': '软件包仓库中没有此软件包',
    unreadable: '软件包已损坏',
    'too-large': '软件包过大',
    'not-a-registry-package': '只读取来自软件包仓库的软件包和代码托管平台上的代码仓库',
    'unknown-commit': '代码仓库未告知将安装哪个提交',
    'no-such-commit': '代码仓库中没有此提交',
    'repository-unreachable': '代码托管平台没有响应，或要求登录',
    'no-git': '本机上未找到 git',
    'no-such-version': '软件包仓库中没有此版本',
    'other-digest': '软件包与软件包仓库所描述的不一致',
    'no-digest': '软件包仓库未提供可供核对的信息',
    ambiguous: '其归档可用多种方式解包，可借此隐藏文件',
    rewritten: '代码托管平台所提供的部分文件与提交中的内容不同',
    'too-many-files': '软件包中的文件过多',
  },
  code: {
    title: '它能做什么',
    rest: '代码',
    gained: (before) => `与 ${before} 相比新增`,
    nothingGained: (files) => `未见新增能力${files === null ? '' : `；${changedFiles(files)}`}。`,
    nothingSeen: (unread, files) =>
      `在可读取的部分中未见新增能力${files === null ? '' : `；${changedFiles(files)}`}，其中 ${unread} 个文件未能完整读取。`,
    runsFile: (file) => `它将运行的内容：${file}`,
    linesFollow: '…',
    gainsLine: (title, abilities) => `${title}：${abilities.join('；')}。`,
    noneKnown: '无法得知其新增内容。',
    beforeUnread: '无法得知其新增内容：无法读取已安装的版本。',
    nothing: '未见写入文件、启动程序或使用网络的代码。',
    limits: '根据源代码分析，代码可能隐藏行为。',
    andMore: (names, count) => `${names} 等，另有 ${count} 个`,
    andOthers: (names) => `${names}，以及其他`,
    again: (ability) => `${ability}，方式与之前不同`,
    andHarmless: (names, harmless) => `${names}，以及 ${harmless} 个不含敏感信息的变量`,
    allVariables: '全部',
    held: {
      cookies: 'Cookie',
      clipboard: '剪贴板',
      camera: '摄像头',
      microphone: '麦克风',
      screen: '屏幕',
      position: '位置',
      passwords: '密码',
    },
    others: (abilities) => `另有未见被加载的文件：${abilities.join('；')}`,
    packages: (count, names) => `随之安装 ${count} 个软件包，未读取${after(names)}`,
    newPackages: (count, names) => `新增 ${count} 个随之安装的软件包，未读取：${names}`,
    flagged: {
      'not-seen': (flag) => `${flag}：插件目录如此标注；在其代码中未见`,
      'not-read': (flag) => `${flag}：插件目录如此标注；未读取其代码`,
    },
    flags: {
      'install script': '可在安装时运行脚本',
      'terminal surface': '可运行程序',
      'requires credentials': '需要凭据',
    },
    allowedScripts: (names) => `安装时将会运行（此前已允许）：${names}`,
    abilities: {
      'install-scripts': (names) => `安装时运行（pnpm 10 及更新版本会先询问）：${names}`,
      anything: (names) => `将 ${names} 传给别处：无法看出会用来做什么，可能是任何事`,
      'native-code': (names, more) =>
        names ? `含有无法读取的程序：${names}${more ? '，并加载此类程序' : ''}` : '加载无法读取的程序',
      'starts-programs': (names) => `启动其他程序${after(names)}`,
      'runs-text': () => '将文本作为代码运行',
      service: (names, more) =>
        names
          ? `使用保护 Harness 的服务：${names}${more ? '，以及运行时才决定的服务' : ''}`
          : '使用运行时才决定的 Harness 服务',
      'changes-others': (names) => `替换其他代码也在使用的内容：${names}`,
      'changes-rows': (names) => `更改 Harness 的组成部分：${names}`,
      'loads-code': (names) => `加载运行时才决定的代码${after(names)}`,
      'writes-files': () => '写入文件',
      environment: (names) => `读取环境变量${after(names)}`,
      'reads-page': (names) => `读取页面中的内容：${names}`,
      network: (names, more) =>
        names ? `访问 ${names}${more ? '，以及运行时才决定的地址' : ''}` : '访问运行时才决定的地址',
      unverified: () => '不核实通信对方的身份：途中的其他人可能读取或篡改内容',
      listens: () => '接受网络连接',
    },
    unread: {
      minified: (files) => `代码经过压缩，难以检查：${files}`,
      packed: (files) => `代码经过打包隐藏，无法读取：${files}`,
      reordered: (files) => `含有使代码显示顺序与运行顺序不同的字符：${files}`,
      'not-javascript': (files) => `无法作为 JavaScript 读取：${files}`,
      'too-large': (files) => `过大，无法读取：${files}`,
      'too-much': (files) => `代码过多，未读取：${files}`,
      typescript: (files) => `TypeScript，未读取：${files}`,
      'other-manifest': (files) => `软件包仓库所描述的依赖或安装脚本与此文件不同：${files}`,
      rewritten: (files) => `代码托管平台所提供的内容与读取的不同：${files}`,
      link: (files) => `软件包中不应有的链接：${files}`,
      device: (files) => `既非文件也非文件夹：${files}`,
      'bad-name': (files) => `名称损坏的文件：${files}`,
      native: (files) => `内容与之前不同、无法读取的程序：${files}`,
    },
  },
  origin: {
    title: '来源',
    signature: {
      valid: '此版本有软件包仓库的签名。',
      wrong: '软件包仓库的签名有误：这不是它发布的内容。',
      unknown: (reason) => `无法核对其签名：${reason}。`,
    },
    signatureReasons: {
      ...UNREAD,
      unreadable: '无法读取软件包仓库的密钥',
      'too-large': '无法读取软件包仓库的密钥',
      'no-signature': '此软件包仓库未提供签名',
      'no-keys': '此软件包仓库未公布其密钥',
      'unknown-key': '签名所用的密钥不属于此软件包仓库',
      'expired-key': '此版本发布时，签名所用的密钥已停用',
      'unusable-key': '无法识别签名所用的密钥种类',
      'not-read': '未读取软件包',
    },
    build: {
      signed: (repository, commit) =>
        commit === null ? `由 ${repository} 构建（已签名）。` : `由 ${repository} 在提交 ${commit} 处构建（已签名）。`,
      other: (repository, commit) =>
        `由 ${commit === null ? repository : `${repository} 在提交 ${commit} 处`}构建（已签名），这不是插件目录所列的代码仓库。`,
      wrong: (reason) => `其构建声明有误：${reason}。`,
      wrongReasons: {
        'other-signature': '签名者并非声明所称的一方',
        'other-package': '声明针对的是另一个软件包',
      },
      none: '此软件包仓库没有关于由谁构建的声明。',
      unknown: (reason) => `无法核对由谁构建：${reason}。`,
      unknownReasons: {
        ...UNREAD,
        'not-found': '此软件包仓库中没有该声明',
        unreadable: '无法读取声明',
        'too-large': '声明过大',
        'unknown-signer': '签署声明的机构在此未知',
        'not-read': '未读取软件包',
      },
    },
    refusals: {
      'release-age': (until, passing) =>
        `pnpm ${until === null ? '暂不安装此版本' : `在 ${until} 之后才安装此版本`}（minimumReleaseAge）。${passing === null ? '没有可安装的其他版本。' : `可安装的版本：${passing}。`}`,
    },
    silent: '未签名。未说明由谁构建。',
    published: (age, publisher) => (publisher === null ? `发布于${age}。` : `由 ${publisher} 发布于${age}。`),
    otherRepository: (address) => `它所写的代码仓库与插件目录的不同：${address}。`,
    lostBuildStatement: (before) => `${before} 说明了由谁构建，此版本没有。`,
  },
  advisories: {
    title: '已知问题',
    notYet: '尚不清楚。',
    notLookedUp: '未查询：软件包仓库没有及时响应。',
    noLockfile: (profile) => `配置档 ${profile} 没有锁文件，因此不清楚其中的软件包。`,
    advisory: (severity, title) => (severity ? `${title}（${severity}）。` : `${title}。`),
    malware: (title) => `恶意软件：${title}。请勿安装；如已安装，请移除。`,
    without: (version) => `${version} 版本不受影响。`,
    noneWithout: '目前没有已知不受影响的新版本。',
    asked: (packages, found) =>
      `${packages === 1 ? '' : `${packages} 个软件包中`}${found === 0 ? '没有已知问题' : `有 ${found} 个已知问题`}。`,
    notKnown: '已知问题情况不明。',
    notPublished: '此软件包仓库不公布已知问题。',
    unknown: (names, host, reason) =>
      `无法查询 ${host === null ? '' : `${host} 上的 `}${names} 的已知问题：${reason}。`,
    reasons: {
      ...UNREAD,
      'not-found': '软件包仓库中没有',
      unreadable: '无法读取软件包仓库的回应',
      'too-large': '软件包仓库的回应过大',
      'no-advisories': '软件包仓库不提供安全公告',
      repository: '来自代码仓库，而已知问题只由软件包仓库公布',
      folder: '来自文件夹，而已知问题只由软件包仓库公布',
      tarball: '来自压缩包，而已知问题只由软件包仓库公布',
      'no-such-version': '软件包仓库中没有此版本',
      'too-many': '一起安装的软件包过多，无法全部查询',
    },
  },
}

export const diff: Texts['diff'] = {
  read: '查看改动',
  title: (name) => `${name} 的改动`,
  loading: '正在读取两个版本…',
  count: (files) => `${files} 个文件有差异。`,
  commits: '比较所写的提交',
  roles: { scripts: '脚本', patch: '补丁', native: '程序', entry: '入口', code: '代码', other: '其他' },
  folded: {
    minified: '代码经过压缩，按语句显示。',
    generated: '源映射，不会运行。',
    binary: '不是文本。',
    long: '内容较长，只显示开头部分。',
    unordered: '内容过长，无法逐行比较：以下各行只存在于其中一个版本。',
    'not-read': '未读取：这是一个链接，或者文件名不是软件包中会有的。',
  },
  isNew: (size) => `新增，${size}`,
  isRemoved: '已删除',
  sizes: (before, after) => `${before} → ${after}`,
  same: '两个版本的文件相同。',
  moreFiles: (files) => `另有 ${files} 个文件有差异。`,
  showMore: (lines) => `再显示 ${lines} 行`,
  cut: '还有更多差异，未显示。',
  authors: '由作者编写，未运行。',
}
