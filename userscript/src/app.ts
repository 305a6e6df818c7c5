import { nextTask } from '@plugmark/shared/catalogue'
import { createBadges } from './badge/badges.ts'
import type { Core } from './core.ts'
import { isUntaken, TAKEN_OVER_LOOK_MS } from './github/hydration.ts'
import { watchNavigation } from './github/navigation.ts'
import { pageKindOf } from './github/page-kinds.ts'
import { repositoryOfPage } from './github/repository-page.ts'
import { isRepository, mayStandForAll, repositoryOfTarget } from './github/target.ts'
import { type Voice, voiceFor } from './i18n/index.ts'
import { openChannel } from './manager/broadcast.ts'
import { findManager } from './manager/manager.ts'
import { createMarker } from './marker/marker.ts'
import { createFaces } from './plugins/badge-cache.ts'
import { readFace } from './plugins/badge-data.ts'
import { isAllOff, type PageSwitch, type Settings } from './settings/settings.ts'
import { openSettings } from './settings/store.ts'
import { followAttention } from './settings/visibility.ts'
import { styles } from './styles.ts'
import { openSurfaces, type Surfaces } from './surfaces.ts'
import { createUpkeep, type Upkeep } from './upkeep.ts'

/** Set on the root element by the copy of this script that runs, so that a second one stands back. */
const RUNNING_ATTRIBUTE = 'data-plugmark'

/**
 * Runs the script on this page: marks it first, with what is known at once, then keeps up what belongs to a marked page,
 * and opens the rest when it is needed. What runs before the first badge is kept small, because every page waits for it;
 * so is what stays, because every tab pays for it.
 *
 * @param api address of the directory this build reads
 */
export async function start(api: string): Promise<void> {
  const root = document.documentElement
  if (root.hasAttribute(RUNNING_ATTRIBUTE)) return

  const manager = findManager()
  const { xhr } = manager
  if (xhr === null) return
  root.setAttribute(RUNNING_ATTRIBUTE, '')
  const settings = openSettings({
    values: manager.values,
    onChange: applySettings,
    openChannel: (onMessage) => openChannel(`plugmark settings`, onMessage),
    followAttention,
  })
  await settings.opening
  /** Found once a page: every badge asks. */
  let said: Voice
  const voice = () => said
  const faces = createFaces({
    key: `plugmark faces ${api}`,
    storage: () => localStorage,
    cli: () => settings.current.cli,
  })
  const badges = createBadges({
    voice,
    onCreate(badge) {
      if (isHeld) badge.style.display = 'none'
      else styles.addBadge()
      upkeep?.look()
    },
  })
  const marker = createMarker({
    glance(target) {
      const face = faces.find(repositoryOfTarget(target))
      if (!face || isRepository(target)) return face
      // Which of several listings a subdirectory stands for is in the rows, and so is whether it is one itself.
      return readFace(face)!.count === 1 && mayStandForAll(target) ? face : undefined
    },
    // Tasks of their own: on a first visit the one opens the directory, and what is found is marked in the next.
    async lookUp(targets) {
      await nextTask()
      const found = await (await surfaces()).facesOf(targets)
      await nextTask()
      holdBack()
      return found
    },
    createBadge: badges.create,
    // Lays the page out: still in this task, but whoever watches the page has been told of the badges by then.
    onMarked: () => isHeld || queueMicrotask(badges.fit),
    onKnown: () => upkeep?.count(),
  })

  const core: Core = { api, manager, xhr, settings, voice, faces, badges, marker }
  let upkeep: Upkeep | null = null
  let opened: Surfaces | null = null
  function surfaces(): Promise<Surfaces> {
    opened ??= openSurfaces(core, (sentence) => keepUp().say(sentence))
    return Promise.resolve(opened)
  }
  const keepUp = () => {
    upkeep ??= createUpkeep(core, surfaces, () => opened)
    return upkeep
  }

  /** Whether badges are not to be drawn yet. */
  let isHeld = false
  /**
   * Badges of this task are laid out in one of its own, and drawn after it: a slow machine is held up for one at a time. A
   * frame may come before, and without its styles a badge is many times as high.
   */
  const holdBack = () => {
    isHeld = true
    setTimeout(() => {
      isHeld = false
      for (const badge of badges.all()) {
        styles.addBadge()
        badge.node.style.display = ''
      }
      badges.fit()
    })
  }
  const arrive = () => {
    const { language, pausedOn, pagesOff } = settings.current
    said = voiceFor(language, root.lang, navigator.languages)
    const url = new URL(document.URL)
    const isPaused = pausedOn.includes(url.hostname) || isAllOff(pagesOff)
    const isOn = (name: PageSwitch) => !isPaused && !pagesOff.includes(name)
    const kind = pageKindOf(url)
    const marked = kind && isOn(kind.name) ? kind : null
    // What people wrote is none of React's, wherever it stands.
    if (marked?.linkStyle === 'list' && isUntaken(document.querySelector(marked.selector))) {
      setTimeout(arrive, TAKEN_OVER_LOOK_MS)
      return
    }
    if (marked) {
      holdBack()
      marker.start(marked)
    } else marker.unmark()
    // In a task of its own, so that the badges are drawn first.
    setTimeout(() => {
      const repository = isOn('repository') ? repositoryOfPage(url) : null
      keepUp().arrive({ marked, repository, isPaused: kind !== null && isPaused })
    })
  }

  function applySettings(now: Settings, before: Settings, isOwn: boolean): void {
    // Settings that are open here show what was, and would set it again.
    if (!isOwn) document.querySelector<HTMLDialogElement>('.plugmark-dialog')?.close()
    arrive()
    const looksSame = now.language === before.language && now.cli === before.cli
    if (looksSame && now.profile === before.profile) return
    opened?.silence()
    // Badges stay where only what they copy is another: one of them may be where the focus goes back to.
    if (!looksSame) marker.refresh()
    opened?.redraw()
  }

  // Marks in a task of its own: a slow machine has compiled the script for as long by then.
  await new Promise((resolve) => setTimeout(resolve))
  watchNavigation(arrive, () => {
    marker.stop()
    opened?.silence()
  })
}
