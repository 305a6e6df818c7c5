export const name = 'slate-mill'
export const inject = ['commands']

export function apply(ctx) {
  ctx.commands.register({
    name: 'slate-mill',
    description: 'Count the words of a text',
    input: { hint: 'text' },
    handler: ({ rawInput }) => ({ kind: 'success', text: String(rawInput.split(/\s+/).filter(Boolean).length) }),
  })
}
