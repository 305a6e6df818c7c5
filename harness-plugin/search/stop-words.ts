/** Words of sentences and requests that say nothing about the purpose of a plugin. */
const STOP_WORDS = new Set(
  `a about across after all also am an and any anything are as at be been being before but by can cannot could did do
  does doing done dont during each else every everything find for from get gets give gives got had has have help helps
  her here him his how i if im in into is isnt it its just kind know let lets like look looking looks made make makes
  making may me might more most much must my need needs no not nothing of off on once one only or other our out over
  own please plugin plugins put same see should so some somebody someone something such than that thats the their them
  then there these they thing things this those through to too up us use used uses using very via want wants was way we
  were what when where whether which while who why will with within without would you your
  的 了 吗 呢 吧 啊 我 你 它 他 她 我们 你们 他们 想 要 想要 需要 让 一个 一些 有 有没有 没有 什么 怎么 如何 可以 能 能够
  会 帮 帮我 帮助 请 给 把 和 与 或 在 是 这 那 这个 那个 个 种 用 使用 用来 用于 时 时候 当 后 之后 之间 里 中 上 下 跨
  都 也 就 还 插件 东西 寻找 找 某个 某种 它们 自己`
    .split(/\s+/)
    .filter(Boolean),
)

export const isStopWord = (word: string): boolean => STOP_WORDS.has(word.replaceAll(/['’]/g, ''))

/** Removes stop words; returns all words when nothing else is left. */
export function withoutStopWords(words: readonly string[]): readonly string[] {
  const telling = words.filter((word) => !isStopWord(word))
  return telling.length > 0 ? telling : words
}
