import type { Plugin, Rolldown } from 'vite'

/** Names in a file by the names it gives them outside. */
type Names = ReadonlyMap<string, string>

/**
 * Folds what the script imports when it needs it, `import('./part.ts')`, into its one file: as a function that is called
 * by the import. Until then a browser has only looked it over, and no page pays for what is in it.
 *
 * A part sees the names of the main one by its place; where it has another name for one, that is a parameter. It stands
 * before the main one, for what is alike in both then is nearer together, and packs better.
 *
 * @param onModules told the paths of all modules that are in the script
 */
export function foldDeferredParts(onModules: (paths: readonly string[]) => void): Plugin {
  return {
    name: 'fold-deferred-parts',
    generateBundle: {
      order: 'pre',
      handler(_, bundle) {
        const chunks = Object.values(bundle).filter((output) => output.type === 'chunk')
        const main = chunks.find(({ isEntry }) => isEntry)!
        const parts = chunks.filter((chunk) => chunk !== main)
        onModules(chunks.flatMap(({ moduleIds }) => moduleIds))
        let { body, names } = withoutExports(main.code)
        const folded = parts.map((part) => {
          const { text, given } = fold(part, names)
          const call = `Promise.resolve().then(${given.length > 0 ? `() => ${nameOf(part)}(${given})` : nameOf(part)})`
          body = body.replaceAll(new RegExp(`import\\(["'\`]\\./${part.fileName}["'\`]\\)`, 'g'), call)
          delete bundle[part.fileName]
          return text
        })
        if (/\bimport\(/.test(body)) throw new Error('A part of the script is imported in a way that is not folded in.')
        main.code = [...folded, body].join('\n')
        main.dynamicImports = []
      },
    },
  }
}

const nameOf = ({ name }: Rolldown.OutputChunk): string => `${name}Part`

/** @returns the part as a function, and what it is to be given */
function fold(part: Rolldown.OutputChunk, ofMain: Names): { text: string; given: string[] } {
  const { body, names } = withoutExports(part.code)
  const [imports = ''] = /^import \{[^}]*\} from "[^"]*";\n/.exec(body) ?? []
  const others = pairsIn(imports).filter(([outside, inside]) => ofMain.get(outside) !== inside)
  const returned = Array.from(names, ([outside, inside]) => `${outside}: ${inside}`)
  const lines = [
    `function ${nameOf(part)}(${others.map(([, inside]) => inside)}) {`,
    body.slice(imports.length),
    `return { ${returned} }`,
    '}',
  ]
  return { text: lines.join('\n'), given: others.map(([outside]) => ofMain.get(outside)!) }
}

/** The code without the statement that ends it, `export { inside as outside }`. */
function withoutExports(code: string): { body: string; names: Names } {
  const [statement = ''] = /\nexport \{[^}]*\};?\s*$/.exec(code) ?? []
  return {
    body: code.slice(0, code.length - statement.length),
    names: new Map(pairsIn(statement).map(([inside, outside]) => [outside, inside])),
  }
}

/** The names of a statement: what stands before `as`, and what behind it. */
const pairsIn = (statement: string): [string, string][] =>
  Array.from(statement.matchAll(/([\w$]+)(?: as ([\w$]+))?(?=\s*[,}])/g), ([, one = '', other = one]) => [one, other])
