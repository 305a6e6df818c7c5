/** Words that generated repositories are made of. */

export const OWNERS = [
  'alderway',
  'bluefinch',
  'coralmill',
  'driftbox',
  'elmstreet',
  'foxglade',
  'greyharbour',
  'hollowpine',
  'ironthistle',
  'junebug',
  'kitestring',
  'larkfield',
  'marrowgate',
  'northquay',
  'orchardrow',
  'pebbleworks',
  'quincelab',
  'rivetry',
  'saltmarsh',
  'thornapple',
  'umberlight',
  'velvetowl',
  'willowbend',
  'yarrowdeep',
] as const

/** The first eight also name the directories of repositories with several packages. */
export const NOUNS = [
  'anchor',
  'basket',
  'candle',
  'drawer',
  'engine',
  'feather',
  'garden',
  'hammer',
  'island',
  'jigsaw',
  'kettle',
  'ladder',
  'mirror',
  'needle',
  'oyster',
  'pencil',
  'quiver',
  'ribbon',
  'saddle',
  'thread',
  'valley',
  'window',
] as const

export const VERBS = ['Collects', 'Explains', 'Checks', 'Draws', 'Translates', 'Sorts', 'Watches', 'Shortens'] as const
/** In the order of VERBS. */
export const VERBS_ZH = ['收集', '讲解', '检查', '绘制', '翻译', '整理', '监视', '精简'] as const

export const SUBJECTS = [
  'log files',
  'meeting notes',
  'test results',
  'shell commands',
  'data sheets',
  'code comments',
  'bug reports',
  'long answers',
] as const
/** In the order of SUBJECTS. */
export const SUBJECTS_ZH = [
  '日志文件',
  '会议记录',
  '测试结果',
  '命令行',
  '数据表',
  '代码注释',
  '缺陷报告',
  '长回答',
] as const

export const QUALITIES = [
  'one at a time',
  'without leaving the conversation',
  'and says what it left out',
  'as they come in',
  'for a whole project',
  'before anything is sent',
] as const
