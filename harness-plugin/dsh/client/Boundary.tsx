import { Component, type ReactNode } from 'react'

interface Props {
  readonly children: ReactNode
  /** What stands in its place once it failed. @param again draws it once more */
  readonly fallback: (again: () => void) => ReactNode
}

/**
 * Keeps a part of ours that throws while it is drawn to itself. The harness has such a boundary around each entry of a
 * slot, and leaves an empty place there, without a word (dsh-client-ui-renderer 0.1.0-rc.8).
 */
export class Boundary extends Component<Props, { readonly failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override componentDidCatch(error: unknown) {
    console.error('A part of the plugin store failed:', error)
  }

  override render() {
    return this.state.failed ? this.props.fallback(() => this.setState({ failed: false })) : this.props.children
  }
}
