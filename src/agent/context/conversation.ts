/** Opens what the model sees of a run besides its rules: a bounded transcript, or memory and the last results. */
import type { ConversationOptions, ModelConversation } from './model-conversation.ts';
import { RamConversation } from './ram-conversation.ts';
import { TranscriptConversation } from './transcript-conversation.ts';

/** Opens the conversation that the profile asks for. */
export function openConversation(options: ConversationOptions): ModelConversation {
  return options.profile.memory === 'ram'
    ? new RamConversation(options)
    : new TranscriptConversation(options);
}
