/** The door of the terminal. */
export {};
