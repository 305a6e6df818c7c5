export const name = 'bad-name'
export const inject = ['commands']

export function apply(ctx) {
  ctx.commands.register({ name: 'harbor-note', description: 'Mine', handler: () => ({ kind: 'success' }) })
}
