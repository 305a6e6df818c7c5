// @ts-check
import { spawnSync } from 'node:child_process'
import { hasDebianPackages } from './need.mjs'

/** Without a Chinese font the browser draws boxes, in pictures and in the layout that tests measure. @type {import('./need.mjs').Need} */
export const font = {
  async check(machine) {
    if (machine.platform !== 'linux' || drawsChinese(machine)) return null
    if (hasDebianPackages(machine)) {
      return { what: 'Chinese font', from: 'apt-get', fetch: 60, disk: 100, apt: ['fonts-noto-cjk', 'fontconfig'] }
    }
    machine.warn('No Chinese font is installed: pictures will show boxes. Debian and Ubuntu call one fonts-noto-cjk.')
    return null
  },
}

/** @param {import('../machine/machine.mjs').Machine} machine */
function drawsChinese({ which }) {
  const list = which('fc-list')
  return list !== null && spawnSync(list, [':lang=zh', 'family'], { encoding: 'utf8' }).stdout.trim() !== ''
}
