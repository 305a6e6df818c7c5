window.__ModuleLoader__.load({
  id: 'dsh-plugin-bad-client-require',
  factory: (require) => ({ apply: require('a-module-no-page-has') }),
})
