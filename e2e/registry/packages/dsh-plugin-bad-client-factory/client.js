window.__ModuleLoader__.load({
  id: 'dsh-plugin-bad-client-factory',
  factory() {
    throw new Error('the rope is too short')
  },
})
