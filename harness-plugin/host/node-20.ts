/** Adds features to Node 20.12 that it lacks and the host uses. Import this file before everything else. */

Promise.withResolvers ??= <T>() => {
  let resolve!: PromiseWithResolvers<T>['resolve']
  let reject!: PromiseWithResolvers<T>['reject']
  const promise = new Promise<T>((onResolve, onReject) => {
    resolve = onResolve
    reject = onReject
  })
  return { promise, resolve, reject }
}

URL.parse ??= (url: string | URL, base?: string | URL) => {
  try {
    return new URL(url, base)
  } catch {
    return null
  }
}

export {}
