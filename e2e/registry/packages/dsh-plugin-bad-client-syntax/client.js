window.__ModuleLoader__.load({ id: 'dsh-plugin-bad-client-syntax', factory: ( })
