import { type Context, icons } from '@koishijs/client'
import { h } from 'vue'
import { ICONS } from '../../view/icons.ts'
import { type AddressEvent, defineStoreElement, type StoreElementProps } from '../../view/index.ts'
import StorePage from './StorePage.vue'
import './style.css'

declare module 'vue' {
  interface GlobalComponents {
    'plugmark-store': new () => { $props: StoreElementProps & { onAddress(event: AddressEvent): void } }
  }
}

defineStoreElement()
const path = h('path', { fill: 'currentColor', 'fill-rule': 'evenodd', d: ICONS.plug })
icons.register('activity:plugmark', () =>
  h('svg', { class: 'k-icon', viewBox: '0 0 16 16', 'aria-hidden': true }, path),
)

export default (ctx: Context) => {
  ctx.page({
    id: 'plugmark',
    path: '/plugmark',
    name: 'Plugmark',
    icon: 'activity:plugmark',
    order: 300,
    component: StorePage,
  })
}
