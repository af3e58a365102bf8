/**
 * The components we take from @vscode/webview-ui-toolkit, registered on import. It must be imported
 * before the window's `load` event, or the toolkit does not follow changes of theme. Not the data grid
 * (it is not virtual), not the badge (its template breaks our content security policy), not the
 * progress ring (an assertive alert, it interrupts screen readers).
 */
import {
  type Button,
  type Checkbox,
  type Dropdown,
  type Link,
  type Option,
  provideVSCodeDesignSystem,
  type TextArea,
  type TextField,
  vsCodeButton,
  vsCodeCheckbox,
  vsCodeDropdown,
  vsCodeLink,
  vsCodeOption,
  vsCodeTextArea,
  vsCodeTextField,
} from '@vscode/webview-ui-toolkit';

provideVSCodeDesignSystem().register(
  vsCodeButton(),
  vsCodeCheckbox(),
  vsCodeDropdown(),
  vsCodeLink(),
  vsCodeOption(),
  vsCodeTextArea(),
  vsCodeTextField(),
);

declare global {
  interface HTMLElementTagNameMap {
    'vscode-button': Button;
    'vscode-checkbox': Checkbox;
    'vscode-dropdown': Dropdown;
    'vscode-link': Link;
    'vscode-option': Option;
    'vscode-text-area': TextArea;
    'vscode-text-field': TextField;
  }
}
