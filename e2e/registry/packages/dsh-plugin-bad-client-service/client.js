window.__ModuleLoader__.load({
  id: 'dsh-plugin-bad-client-service',
  factory: () => ({ inject: ['lighthouse'], apply() {} }),
})
