window.__ModuleLoader__.load({
  id: 'dsh-plugin-tide-table',
  factory: () => ({
    apply(ctx) {
      const { dataset } = document.documentElement
      ctx.effect(() => {
        dataset.tides = 'shown'
        return () => delete dataset.tides
      })
    },
  }),
})
