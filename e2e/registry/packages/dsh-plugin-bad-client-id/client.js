window.__ModuleLoader__.load({
  id: 'dsh-plugin-somebody-else',
  factory: () => ({ apply() {} }),
})
