window.__ModuleLoader__.load({
  id: 'dsh-plugin-bad-client-apply',
  factory: () => ({
    apply() {
      throw new Error('the rudder is lost')
    },
  }),
})
