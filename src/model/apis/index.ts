/** The model APIs by name. */
import type { Api, ApiName } from './api.ts';
import { chatApi } from './chat.ts';
import { messagesApi } from './messages.ts';
import { responsesApi } from './responses.ts';

export const apis: Readonly<Record<ApiName, Api>> = {
  chat: chatApi,
  responses: responsesApi,
  messages: messagesApi,
};
