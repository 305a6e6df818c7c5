import { type Context, icons } from '@koishijs/client'
import { defineStoreElement } from '../../view/index.ts'
import ActivityIcon from './ActivityIcon.vue'
import StorePage from './StorePage.vue'
import './style.css'

defineStoreElement()
icons.register('activity:plugmark', ActivityIcon)

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
