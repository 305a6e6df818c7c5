throw new Error('no sail was ever set')
