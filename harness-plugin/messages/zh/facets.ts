import type { Texts } from '../en/index.ts'

export const facets: Texts['facets'] = {
  verdict: {
    title: '安装检查',
    values: { passed: '已通过', 'needs-approval': '需要批准', all: '全部插件' },
  },
  traits: {
    title: '只显示',
    values: { installable: '可安装', installed: '已安装', updatable: '有更新' },
  },
  fits: { title: '适用于当前 Harness', values: { yes: '适用', no: '不适用', unknown: '未知' } },
  category: { title: '分类' },
  risk: { title: '风险标记', values: { none: '未发现' } },
  license: { title: '许可证', values: { none: '未注明' } },
  language: { title: '编程语言', values: { none: '未注明' } },
  owner: { title: '作者' },
}

export const keys: Texts['keys'] = {
  category: { names: ['分类', '类别'], noun: '分类' },
  risk: { names: ['风险'], noun: '风险标记' },
  license: { names: ['许可证', '许可'], noun: '许可证' },
  language: { names: ['语言', '编程语言'], noun: '编程语言' },
  owner: { names: ['作者', '所有者'], noun: '作者' },
  fits: { names: ['适用'], noun: '选项' },
  is: { names: ['状态'], noun: '状态' },
  sort: { names: ['排序'], noun: '排序' },
}
