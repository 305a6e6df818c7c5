import type { Category } from '@plugmark/shared/contract'
import { fold, stemOf } from './terms.ts'

/**
 * Words that mean a category, beside its id and its names. Words of a single purpose, which say more in a summary, such
 * as `git`, are not among them.
 */
const SYNONYMS: Readonly<Record<Category, string>> = {
  tools: 'utility helper toolbox 实用 小工具 工具箱',
  ui: 'gui interface panel sidebar layout window shortcut keyboard 面板 侧边栏 布局 窗口 快捷键',
  dev: 'code programming develop debug lint linter refactor 编程 编码 写代码 调试 重构',
  workflow: 'automate pipeline schedule todo task plan planner remind 自动化 流程 待办 任务 计划 定时 提醒',
  memory: 'remember recall recollect forget knowledge 记住 记得 回忆 忘记 知识库',
  session: 'conversation chat history transcript backup 对话 聊天 聊天记录 历史 备份',
  skill: 'prompt template recipe 提示词 模板',
  vision: 'image picture photo screenshot ocr 图片 图像 照片 截图 识图',
  model: 'llm provider inference 大模型 供应商 推理',
  notify: 'notify message alert alarm push remind sound ring 提醒 推送 消息 铃声 提示音',
  usage: 'cost price bill money budget quota spend token 费用 花费 账单 预算 额度 省钱',
  theme: 'dark light colour color appearance skin palette 深色 浅色 颜色 配色 外观 皮肤',
  market: 'marketplace store discover 商店 市场',
  fun: 'game joke toy play pet humor humour 游戏 笑话 宠物 好玩',
}

/** Words of one purpose that no category has, each line in both languages: many a summary is in one of them alone. */
const TRANSLATIONS = `
  calendar 日历 日程
  clock 时钟
  mail email 邮件 邮箱
  phone 手机
  weather 天气
  holiday 节假日
  map 地图
  music 音乐
  video 视频
  voice speech 语音
  translate 翻译
  note 笔记
  document 文档
  table spreadsheet 表格
  chart diagram 图表
  database 数据库
  container 容器
  browser 浏览器
  export 导出
  done finish end complete 完成 结束`

/** Maps the stem of each word to the other words of its line. */
const translations = new Map(
  TRANSLATIONS.trim()
    .split(/\n\s*/)
    .map((line) => line.split(' ').map(fold))
    .flatMap((line) => line.map((word) => [stemOf(word), line.filter((other) => other !== word)] as const)),
)
/** Returns the words that mean the same as a folded term, in both languages. */
export const translationsOf = (term: string): readonly string[] => translations.get(stemOf(term)) ?? []

const stems = new Map<string | null, ReadonlySet<string>>(
  Object.entries(SYNONYMS).map(([category, list]) => [category, new Set(list.split(' ').map(fold).map(stemOf))]),
)

/** Returns true if a folded term means a category. */
export const meansCategory = (term: string, category: string | null): boolean =>
  stems.get(category)?.has(stemOf(term)) ?? false
