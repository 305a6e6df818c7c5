window.__ModuleLoader__.load({ id: 'dsh-plugin-tide-table', factory: () => ({ apply() {} }) })
