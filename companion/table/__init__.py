"""What the people at the table are asked, and how buttons and dice answer. Pure: facts in, decisions out."""
