import { reportAs } from './base/report.ts'
import { findManager } from './manager/manager.ts'
import { Tab } from './start/tab.ts'

/** Address of the directory, and version of this script; set by the build. */
declare const PLUGMARK_API: string
declare const PLUGMARK_VERSION: string

/** Attribute of the root element, set by the running copy of this script, so that a second one does nothing. */
const RUNNING_ATTRIBUTE = 'data-plugmark'

function start(): void {
  const root = document.documentElement
  const manager = findManager()
  const { xhr } = manager
  if (xhr === null || root.hasAttribute(RUNNING_ATTRIBUTE)) return
  root.setAttribute(RUNNING_ATTRIBUTE, '')
  new Tab({
    api: PLUGMARK_API,
    version: PLUGMARK_VERSION,
    manager,
    // Evaluates its modules at the first call: the build keeps it in the same file.
    openRest: async (tab) => (await import('./rest.ts')).openRest(tab, xhr),
  })
}

// Not on the stack of the whole script: for an error's position in it, the browser would parse all of it again.
Promise.resolve().then(start).catch(reportAs('start'))
