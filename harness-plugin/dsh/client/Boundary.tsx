import { Component, type ReactNode } from 'react'

interface Props {
  readonly children: ReactNode
  /** Renders a replacement after a failure. @param again renders the part once more */
  readonly fallback: (again: () => void) => ReactNode
}

/**
 * Catches errors that one of our components throws while it renders. The harness has such a boundary around each entry
 * of a slot, but shows an empty place without a message (dsh-client-ui-renderer 0.1.0-rc.8).
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
