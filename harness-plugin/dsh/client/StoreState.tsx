import React, { type ReactElement, type ReactNode, useCallback, useEffect, useState } from 'react'
import type { StoreElementProps } from '../../view/name.ts'
import type { About } from '../harness-channel.ts'
import { Boundary } from './Boundary.tsx'
import type { Shell } from './create-shell.ts'
import type { NoAnswer } from './harness-bridge.ts'
import { useWords, wordsOf } from './page-words.ts'
import { Skeleton } from './Skeleton.tsx'
import { StoreElement } from './StoreElement.tsx'
import { useValue } from './value.ts'

interface Props {
  readonly shell: Shell
  readonly place: StoreElementProps['place']
  readonly address: string
  readonly onAddress: (address: string) => void
  /** Button of the place that shows the store. */
  readonly children: ReactElement
}

/** Renders the store, or the reason why it is missing. */
export function StoreState(props: Props) {
  // Use the page's language, because the services of the harness may have failed.
  const { failed, again } = wordsOf(document.documentElement.lang)
  const fallback = (retry: () => void) => (
    <Notice button={props.children} text={failed}>
      <Button text={again} onClick={retry} />
    </Notice>
  )
  return (
    <Boundary fallback={fallback}>
      <AskedStore {...props} />
    </Boundary>
  )
}

function AskedStore({ shell, place, address, onAddress, children }: Props) {
  const words = useWords(shell)
  const generation = useValue(shell.host.feed.generation)
  const [about, setAbout] = useState<About | NoAnswer | 'asking'>('asking')
  const ask = useCallback(() => {
    let isCurrent = true
    shell.host.about().then((answer) => isCurrent && setAbout(answer))
    return () => {
      isCurrent = false
    }
  }, [shell])
  // A new configuration is a new generation.
  useEffect(ask, [ask, generation])

  if (about === 'asking')
    return (
      <>
        <p className="plugmark-head">{children}</p>
        <Skeleton />
      </>
    )
  if (typeof about === 'string')
    return (
      <Notice button={children} text={words.noAnswer[about]}>
        <Button text={words.again} onClick={ask} />
      </Notice>
    )
  if (about.problem !== null)
    return (
      <Notice button={children} text={<strong>{words.isOff}</strong>}>
        <p lang="en">{about.problem}</p>
        <p>{words.howOn}</p>
      </Notice>
    )
  return (
    <div className="plugmark-frame">
      {about.others.length > 0 && <p className="plugmark-others">{words.others(about.others.join(', '))}</p>}
      {about.agents !== null && <p className="plugmark-others">{words.agents[about.agents]}</p>}
      <StoreElement shell={shell} place={place} address={address} onAddress={onAddress}>
        {children}
      </StoreElement>
    </div>
  )
}

interface NoticeProps {
  /** Button of the place. */
  readonly button: ReactElement
  readonly text: ReactNode
  readonly children: ReactNode
}

/** Renders a message in place of the store. */
const Notice = ({ button, text, children }: NoticeProps) => (
  <div className="plugmark-state" role="alert">
    {button}
    <p>{text}</p>
    {children}
  </div>
)

const Button = ({ text, onClick }: { readonly text: string; readonly onClick: () => void }) => (
  <button className="plugmark-button" type="button" onClick={onClick}>
    {text}
  </button>
)
