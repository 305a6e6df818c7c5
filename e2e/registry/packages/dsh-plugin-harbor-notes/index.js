export const name = 'harbor-notes'
export const inject = ['commands']

export function apply(ctx) {
  const notes = []
  ctx.commands.register({
    name: 'harbor-note',
    description: 'Keep a note until the harness stops',
    input: { hint: 'text of the note' },
    handler({ rawInput }) {
      notes.push(rawInput)
      return { kind: 'success', text: `${notes.length} kept` }
    },
  })
}
