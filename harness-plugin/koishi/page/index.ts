import { type Context, icons, useConfig } from '@koishijs/client'
import { h, type Ref } from 'vue'
import { ICONS } from '../../view/icons.ts'
import { type AddressEvent, defineStoreElement, type StoreElementProps } from '../../view/index.ts'
import type { PageData } from '../console-channel.ts'
import JobStatus from './JobStatus.vue'
import StorePage from './StorePage.vue'
import './style.css'

declare module 'vue' {
  interface GlobalComponents {
    'plugmark-store': new () => { $props: StoreElementProps & { onAddress(event: AddressEvent): void } }
  }
}

const PATH = '/plugmark'

defineStoreElement()
const path = h('path', { fill: 'currentColor', 'fill-rule': 'evenodd', d: ICONS.plug })
icons.register('activity:plugmark', () =>
  h('svg', { class: 'k-icon', viewBox: '0 0 16 16', 'aria-hidden': true }, path),
)

/** Adds the page and the status to the console, each time that the console connects. */
export default (ctx: Context, data: Ref<PageData>) => {
  const config = useConfig()
  ctx.page({
    id: 'plugmark',
    path: PATH,
    // Beside the console's own market, people would expect plugins of Koishi.
    name: () =>
      config.value.locale?.startsWith('zh') === false ? 'Plugmark · Harness plugins' : 'Plugmark · Harness 插件',
    icon: 'activity:plugmark',
    order: 300,
    authority: data.value.authority,
    component: () => h(StorePage, { hasLogin: data.value.hasLogin }),
  })
  ctx.slot({ type: 'status-right', component: () => h(JobStatus, { path: PATH }) })
}
