import { readFile } from 'node:fs/promises'

/**
 * A text that differs between a process and a later one of the same pid. Null when no process has that pid; where the
 * system has no /proc, the same for all that run.
 */
export async function startOf(pid: number): Promise<string | null> {
  try {
    process.kill(pid, 0)
  } catch (error) {
    // EPERM: it runs, as somebody else.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return null
  }
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  // The program's name, in brackets, can hold spaces. After it come the state (Z: ended, not collected) and 18 others.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return fields[0] === 'Z' ? null : (fields[19] ?? '')
}
