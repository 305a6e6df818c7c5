import type { ContractTexts } from './en.ts'

export const zh: ContractTexts = {
  categories: {
    tools: '工具',
    ui: '界面',
    dev: '开发',
    workflow: '工作流',
    memory: '记忆',
    session: '会话',
    skill: '技能',
    vision: '视觉',
    model: '模型',
    notify: '通知',
    usage: '用量与费用',
    theme: '主题',
    market: '插件市场',
    fun: '趣味',
    other: '其他',
  },
  verdicts: {
    passed: {
      name: '可以安装',
      sentence: '插件目录在全新容器中运行过它的安装命令，插件注册成功。',
    },
    'needs-approval': {
      name: '需要批准',
      sentence: '批准运行其构建脚本后即可安装。',
    },
    'not-a-layer': {
      name: '不是插件',
      sentence: '它的安装命令所安装的软件包不会为 Harness 增加任何功能。',
    },
    failed: {
      name: '安装失败',
      sentence: '插件目录在全新容器中运行过它的安装命令，但运行失败。',
    },
    timeout: {
      name: '安装超时',
      sentence: '插件目录在全新容器中运行过它的安装命令，但未能按时完成。',
    },
    unknown: {
      name: '安装检查结果未知',
      sentence: '无法确定它的安装命令是否可用。',
    },
  },
  checked: (verdict, age) => `${verdict}，${age}检查`,
  passed: (age) => `${age}通过安装检查`,
  riskFlags: {
    'install script': {
      name: '安装脚本',
      sentence: '安装时会运行自带的脚本。',
    },
    'terminal surface': {
      name: '终端权限',
      sentence: '可以在你的电脑上运行终端命令。',
    },
    'requires credentials': {
      name: '需要凭据',
      sentence: '需要你提供密钥、令牌或账号。',
    },
  },
  otherRiskFlag: '此标记来自插件目录，安装前请先查看源代码。',
  reasons: {
    'no-command': '插件目录中没有此插件的安装命令。',
    'subdirectory-unpublished': '此插件位于子目录中，且未发布到软件包仓库，因此没有可用的安装命令。',
    unpublished: '此插件未发布到软件包仓库，其代码仓库也无法直接安装。',
    'not-text': '插件目录给出的安装命令不是文本，因此不显示。',
    malformed: '插件目录给出的安装命令格式无效，因此不显示。',
    'other-cli': '插件目录给出的安装命令会运行其他程序，因此不显示。',
    'bad-profile': '插件目录给出的安装命令中的配置档名称无效，因此不显示。',
    'bad-spec': '插件目录给出的安装命令既没有指明软件包，也没有指明代码仓库，因此不显示。',
    'bad-listing': '此条目的名称无效，因此不显示其命令。',
    'other-package': '插件目录给出的安装命令会安装其他软件包，因此不显示。',
    'other-repository': '插件目录给出的安装命令会安装其他代码仓库，因此不显示。',
    'subdirectory-needs-package': '此插件位于子目录中，而安装命令会安装整个代码仓库，因此不显示。',
  },
  notAReview: '被收录不代表已通过安全审查。',
}
