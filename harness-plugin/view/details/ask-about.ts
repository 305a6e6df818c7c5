import type { Answer, RepositoryTextKind, StoreBridge } from '../../protocol/index.ts'

/** Asks the registry and the code host about a plugin, through the host. */
export function askAbout(bridge: Pick<StoreBridge, 'call'>, readProfile: () => Promise<string>) {
  return {
    versions: async (id: string) => plain(await bridge.call('versions', { id, profile: await readProfile() })),
    repository: async (id: string) => plain(await bridge.call('repositoryFacts', { id, profile: await readProfile() })),
    text: async (id: string, kind: RepositoryTextKind, language: 'en' | 'zh') =>
      plain(await bridge.call('repositoryText', { id, kind, language, profile: await readProfile() })),
    /** @returns a `data:` address; null when there is no picture */
    async picture(url: string): Promise<string | null> {
      const answer = await bridge.call('repositoryPicture', { url, profile: await readProfile() })
      return answer.ok && answer.value.state === 'read' ? answer.value.dataUrl : null
    },
  }
}

/** Turns a refusal of the host into one more state of the answer. */
const plain = <T extends { readonly state: string }>(answer: Answer<T>): T | { readonly state: 'refused' } =>
  answer.ok ? answer.value : { state: 'refused' }
